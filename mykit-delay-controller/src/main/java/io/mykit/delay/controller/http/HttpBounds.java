package io.mykit.delay.controller.http;

import io.mykit.delay.config.HttpConfig;
import java.time.Duration;

/**
 * How long and how much of everything.
 *
 * @param idle a connection on which nothing moves is closed after it; an answer has to be read within it
 * @param body a request's body must have arrived within it
 * @param grace what is in flight at close may take this long
 * @param check a health check that has not answered within it is down
 * @param bodyBytes of all requests together that were not answered yet; more are told to come again
 * @param answerBytes of all answers together that were not read yet; what only reads is told to come again
 * @param connections open at once; more are closed on arrival
 * @param workers threads for calls that block
 * @param workerQueue such calls that may wait for a thread; beyond it they answer 429
 * @param eventLoops threads that carry the requests
 */
public record HttpBounds(
        Duration idle,
        Duration body,
        Duration grace,
        Duration check,
        long bodyBytes,
        long answerBytes,
        int connections,
        int workers,
        int workerQueue,
        int eventLoops) {
    private static final int SHARE = 8;

    /** For this process and its memory. The largest request that is allowed fits in any case. */
    public static HttpBounds of(HttpConfig config) {
        long share = Runtime.getRuntime().maxMemory() / SHARE;
        return new HttpBounds(
                Duration.ofSeconds(60),
                Duration.ofSeconds(30),
                Duration.ofSeconds(5),
                Duration.ofSeconds(1),
                // A body is held as bytes, as text and as a message at the same time for a moment.
                Math.max(share, Math.max(config.maxBodySize(), config.maxBatchSize())),
                // An answer is longer than the body in it: at most six bytes for each of its characters.
                Math.max(share, 8L * config.maxBodySize()),
                4096,
                8,
                256,
                Math.min(2, Runtime.getRuntime().availableProcessors()));
    }
}
