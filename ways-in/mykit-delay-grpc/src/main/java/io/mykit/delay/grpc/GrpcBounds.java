package io.mykit.delay.grpc;

import io.mykit.delay.config.HttpConfig;
import java.time.Duration;

/**
 * The limits of time and size of the gRPC interface. Immutable.
 *
 * @param grace the time that calls under way get at close
 * @param maxBody the maximum of bytes in a body
 * @param maxMessage the maximum of bytes in a request, the body in it included
 * @param maxBatch the maximum of bytes in a request of {@code PushBatch}
 * @param callBytes the maximum of all calls that have not ended, together; further ones are told to try again
 * @param connections the maximum of open connections; a further one is closed at once
 * @param calls the maximum of calls in flight, see {@code pull.max-waiting} for those that wait
 * @param callsPerConnection the maximum of calls in flight on one connection; a client waits with further ones
 * @param workers the number of threads for calls that are large or block
 * @param workerQueue the maximum of such calls that wait for a thread; further ones are told to try again
 * @param eventLoops the number of threads that read calls and write answers
 */
record GrpcBounds(
        Duration grace,
        int maxBody,
        int maxMessage,
        int maxBatch,
        long callBytes,
        int connections,
        int calls,
        int callsPerConnection,
        int workers,
        int workerQueue,
        int eventLoops) {
    private static final int SHARE = 8;
    /** All other fields of a message at their limits. */
    private static final int FIELDS = 64 << 10;

    /** The limits for this process and its memory. The largest allowed request always fits. */
    static GrpcBounds of(HttpConfig config) {
        long share = Runtime.getRuntime().maxMemory() / SHARE;
        int maxMessage = config.maxBodySize() + FIELDS;
        return new GrpcBounds(
                Duration.ofSeconds(5),
                config.maxBodySize(),
                maxMessage,
                Math.max(config.maxBatchSize(), maxMessage),
                Math.max(share, Math.max(config.maxBatchSize(), maxMessage)),
                4096,
                8192,
                1024,
                8,
                256,
                Math.min(2, Runtime.getRuntime().availableProcessors()));
    }
}
