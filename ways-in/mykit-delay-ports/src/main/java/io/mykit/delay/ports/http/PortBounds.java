package io.mykit.delay.ports.http;

import java.time.Duration;

/**
 * The limits of time and size of a port. Immutable.
 *
 * @param idle a connection without a request is closed after this time. Clients written for such APIs keep connections for five minutes and
 *     longer, and the port of lmstfy never closes one
 * @param read a client has to read an answer within it
 * @param body the time in which a request's body has to arrive
 * @param grace the time that open requests get at close
 * @param bytes the maximum of requests and unread answers together
 * @param connections the maximum of open connections; a further one is closed at once
 * @param eventLoops the number of threads that read requests and write answers
 */
public record PortBounds(
        Duration idle, Duration read, Duration body, Duration grace, long bytes, int connections, int eventLoops) {
    private static final int SHARE = 8;
    private static final long LEAST_BYTES = 32L << 20;

    /** The limits for this process and its memory. */
    public static PortBounds ofProcess() {
        return new PortBounds(
                Duration.ofMinutes(6),
                Duration.ofMinutes(1),
                Duration.ofSeconds(30),
                Duration.ofSeconds(5),
                Math.max(Runtime.getRuntime().maxMemory() / SHARE, LEAST_BYTES),
                16_384,
                Math.min(2, Runtime.getRuntime().availableProcessors()));
    }
}
