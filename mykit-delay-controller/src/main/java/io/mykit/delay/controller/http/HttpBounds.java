package io.mykit.delay.controller.http;

import io.mykit.delay.config.HttpConfig;
import java.time.Duration;

/**
 * The limits of time and size of the HTTP interface. Immutable.
 *
 * @param idle an idle connection is closed after this time; a client has to read an answer within it
 * @param body the time in which a request's body has to arrive
 * @param grace the time that open requests get at close
 * @param check the time of a health check; without an answer the part is down
 * @param bodyBytes the maximum of all requests without an answer together; further ones are told to try again
 * @param answerBytes the maximum of all unread answers together; beyond it, calls that only read are told to try again
 * @param connections the maximum of open connections; a further one takes the place of an idle one, or is closed at once
 * @param workers the number of threads for calls that block
 * @param workerQueue the maximum of such calls that wait for a thread; further ones get 429
 * @param eventLoops the number of threads that read requests and write answers
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

    /** The limits for this process and its memory. The largest allowed request always fits. */
    public static HttpBounds of(HttpConfig config) {
        long share = Runtime.getRuntime().maxMemory() / SHARE;
        return new HttpBounds(
                Duration.ofSeconds(60),
                Duration.ofSeconds(30),
                Duration.ofSeconds(5),
                Duration.ofSeconds(1),
                // For a moment a body is in memory three times: as bytes, as text and as a message.
                Math.max(share, Math.max(config.maxBodySize(), config.maxBatchSize())),
                // An answer is longer than the body in it: at most six bytes for each of its characters.
                Math.max(share, 8L * config.maxBodySize()),
                4096,
                8,
                256,
                Math.min(2, Runtime.getRuntime().availableProcessors()));
    }
}
