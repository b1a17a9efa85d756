package io.mykit.delay.client;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The pauses between the tries of one call: they grow, are drawn at random, and end with the time that the call has. One
 * thread at a time.
 */
final class Patience {
    private static final long FIRST_MS = 100;
    private static final long LONGEST_MS = 5_000;

    private final long limitNanos;
    private final long begunNanos = System.nanoTime();
    private long nextMs = FIRST_MS;

    /** @param retryFor no try begins later than that after now */
    Patience(Duration retryFor) {
        this.limitNanos = retryFor.toNanos();
    }

    /** Whether there is time for another try at once. */
    boolean allows(Duration pause) {
        return System.nanoTime() - begunNanos + pause.toNanos() < limitNanos;
    }

    /**
     * The pause before the next try; empty = there is no time for one.
     *
     * @param atLeast as the server asked
     */
    Optional<Duration> pause(Duration atLeast) {
        long drawnMs = ThreadLocalRandom.current().nextLong(nextMs / 2, nextMs + 1);
        nextMs = Math.min(2 * nextMs, LONGEST_MS);
        // All clients that a busy server has turned away should not come back in the same moment.
        Duration pause = Duration.ofMillis(drawnMs).plus(atLeast);
        return allows(pause) ? Optional.of(pause) : Optional.empty();
    }
}
