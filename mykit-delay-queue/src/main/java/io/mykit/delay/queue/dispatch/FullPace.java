package io.mykit.delay.queue.dispatch;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The pace of a topic whose messages name receivers that are full. A message without a place has cost exchanges with a store, and its
 * topic has delivered nothing. So thousands of them are not tried in a row: each one lets its topic rest for a moment, and the batches after
 * it are small. Messages that find a place cost no time. For one thread at a time.
 */
final class FullPace {
    /** The rest after each message: a thousand of them a second. */
    static final long EACH_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The messages of a batch after a rest, so that batches of other topics begin soon. */
    static final int TOGETHER = 25;

    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier nanoTime;
    /** The end of the last rest; long ago at first. */
    private long endNanos;

    private long restNanos;

    FullPace(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.endNanos = nanoTime.getAsLong() - Long.MAX_VALUE / 2;
    }

    /** Records that messages found no place. */
    void full(int messages) {
        long nowNanos = nanoTime.getAsLong();
        restNanos = Math.min(LONGEST_NANOS, Math.max(0, endNanos - nowNanos) + messages * EACH_NANOS);
        endNanos = nowNanos + restNanos;
    }

    /** How many messages may be under way to the channel together: none during a rest, and a few for as long again after it. */
    int most() {
        long sinceNanos = nanoTime.getAsLong() - endNanos;
        if (sinceNanos < 0) {
            return 0;
        }
        return sinceNanos < restNanos ? TOGETHER : Integer.MAX_VALUE;
    }

    /** The time until the end of the rest; not positive = there is none. */
    long leftNanos() {
        return endNanos - nanoTime.getAsLong();
    }
}
