package io.mykit.delay.controller;

import java.time.Duration;

/**
 * How long and how much of everything.
 *
 * @param idle a connection on which nothing moves is closed after it
 * @param body a request's body must have arrived within it
 * @param grace what is in flight at close may take this long
 * @param check a health check that has not answered within it is down
 * @param bodyBytes of all requests together that were not answered yet; more are told to come again
 * @param connections open at once; more are closed on arrival
 * @param workers threads for calls that block
 * @param workerQueue such calls that may wait for a thread; beyond it they answer 429
 * @param eventLoops threads that carry the requests
 */
record HttpBounds(
        Duration idle,
        Duration body,
        Duration grace,
        Duration check,
        long bodyBytes,
        int connections,
        int workers,
        int workerQueue,
        int eventLoops) {
    static final HttpBounds DEFAULT = new HttpBounds(
            Duration.ofSeconds(60),
            Duration.ofSeconds(30),
            Duration.ofSeconds(5),
            Duration.ofSeconds(1),
            // A body is held as bytes, as text and as a message at the same time for a moment.
            Math.max(32L << 20, Runtime.getRuntime().maxMemory() / 8),
            4096,
            8,
            256,
            Math.min(2, Runtime.getRuntime().availableProcessors()));
}
