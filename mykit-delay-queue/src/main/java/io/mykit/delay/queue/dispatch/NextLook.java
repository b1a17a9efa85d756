package io.mykit.delay.queue.dispatch;

import java.time.Duration;

/**
 * When a topic that waits for tokens is looked at again. A later look is not needed if an earlier one is on its way. For one
 * thread at a time.
 */
final class NextLook {
    /** The shortest wait of a backlog for tokens: few tokens would make many small batches. */
    private static final Duration SHORTEST = Duration.ofMillis(5);

    /** Null = no look is on its way. */
    private At next;

    /** Plans a look after this time; returns null if an earlier one is on its way. */
    At plan(long afterNanos, long nowNanos) {
        long pause = Math.max(afterNanos, SHORTEST.toNanos());
        if (next != null && next.atNanos() - (nowNanos + pause) <= 0) {
            return null;
        }
        next = new At(nowNanos + pause, pause);
        return next;
    }

    /** The time of this look has come. */
    void begun(At look) {
        if (look.equals(next)) {
            next = null;
        }
    }

    /**
     * A planned look.
     *
     * @param atNanos {@link System#nanoTime()}
     * @param afterNanos the time until then when it was planned
     */
    record At(long atNanos, long afterNanos) {}
}
