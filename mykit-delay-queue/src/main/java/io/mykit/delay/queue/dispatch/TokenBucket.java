package io.mykit.delay.queue.dispatch;

import java.util.concurrent.TimeUnit;

/**
 * The tokens of one rate: one second's tokens at most, and at least one. In any time t, at most {@code rate * t} and one
 * full bucket are taken. For one thread at a time.
 *
 * <p>The level is kept as a time: the bucket was empty at {@link #emptyNanos}, and has got a token in each interval since. So
 * whole numbers are enough, and no rounding adds up. Times are those of one {@link System#nanoTime()}.
 */
final class TokenBucket {
    private final long intervalNanos;
    private final long fullNanos;
    private long emptyNanos;

    /**
     * @param perSecond from 0.01 to 1,000,000
     * @param emptyNanos the bucket is empty at this time
     */
    TokenBucket(double perSecond, long emptyNanos) {
        // Rounded up: the rate is never exceeded.
        this.intervalNanos = (long) Math.ceil(TimeUnit.SECONDS.toNanos(1) / perSecond);
        this.fullNanos = intervalNanos * (long) Math.max(1, Math.floor(perSecond));
        this.emptyNanos = emptyNanos;
    }

    /** How many tokens there are. */
    int level(long nowNanos) {
        return (int) (Math.min(fullNanos, nowNanos - emptyNanos) / intervalNanos);
    }

    /** Takes tokens, as many as there are at most. */
    void take(int tokens, long nowNanos) {
        emptyNanos = Math.max(emptyNanos, nowNanos - fullNanos) + tokens * intervalNanos;
    }

    /** How long it takes until there are so many tokens, as many as a full bucket has at most; zero = they are there. */
    long nanosUntil(int tokens, long nowNanos) {
        return Math.max(0, tokens * intervalNanos - (nowNanos - emptyNanos));
    }

    /** How long it takes until the bucket is full. */
    long nanosUntilFull(long nowNanos) {
        return Math.max(0, fullNanos - (nowNanos - emptyNanos));
    }
}
