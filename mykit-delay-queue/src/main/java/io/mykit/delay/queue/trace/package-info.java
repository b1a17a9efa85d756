/**
 * Spans of requests and deliveries, for a tracing system. {@link io.mykit.delay.queue.trace.Tracing} is the SPI: the server
 * works without an implementation, and loads one only if an endpoint is configured. The context of a trace stands among the
 * headers of its message, so every store and channel carries it.
 *
 * <p>Event loops, threads of the dispatcher and threads of channels begin and end spans. No call blocks.
 */
package io.mykit.delay.queue.trace;
