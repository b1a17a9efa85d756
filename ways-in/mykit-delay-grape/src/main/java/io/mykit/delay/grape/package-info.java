/**
 * A port that speaks the HTTP API of Grape, so that its clients need another address only. A guest of the engine's entrance beside HTTP and
 * gRPC, which knows neither. {@code GrapeApi} is what the server starts; the packages below are its routes, its tubes and its jobs.
 */
package io.mykit.delay.grape;
