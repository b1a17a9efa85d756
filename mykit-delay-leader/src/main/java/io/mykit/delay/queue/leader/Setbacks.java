package io.mykit.delay.queue.leader;

import io.mykit.delay.common.lifecycle.Backoff;
import java.time.Duration;

/**
 * Counts terms that failed soon after they began, and tells how long this node waits before it contends again. One thread.
 */
final class Setbacks {
    private static final Backoff RETRY = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30));
    /** A term that lasted this long was a success, whatever ended it. */
    private static final Duration LONG_TERM = Duration.ofMinutes(1);

    private int failures;
    private long begunNanos;

    void begun() {
        begunNanos = System.nanoTime();
    }

    /** Counts a failed term and returns the wait. */
    Duration pause() {
        failures = System.nanoTime() - begunNanos > LONG_TERM.toNanos() ? 1 : failures + 1;
        return RETRY.after(failures);
    }
}
