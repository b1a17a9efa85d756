/**
 * Two ports that speak the API of lmstfy, so that its clients need another address only. A guest of the engine's entrance beside HTTP and
 * gRPC, which knows neither. {@code LmstfyApi} is what the server starts; the packages below are its sockets, its calls and their forms.
 */
package io.mykit.delay.lmstfy;
