/**
 * The process: main class, wiring, start and stop. {@link io.mykit.delay.core.Wiring} is the only place that connects the
 * packages. No other package imports this one.
 */
package io.mykit.delay.core;
