package io.mykit.delay.queue.scan;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The pause between two rounds of a scan loop. While messages fall due often, messages of all topics and buckets that are due within
 * a pause share a round, and with it the exchange with Redis, the check of their rows and the send. There is no pause while
 * messages are rare, or while more messages are due than a round moves.
 *
 * <p>The exchange with Redis takes longer when the processors are busy: its two sides wait for them. Rounds at the same pace would
 * keep them busy. So the exchange may take half of the time from one round to the next, and the pause grows with
 * it, up to four times its length. Used by one thread.
 */
final class ScanPace {
    private static final double WEIGHT = 1.0 / 8;
    /** Messages that come apart by more than so many pauses are too rare. */
    private static final int RARE = 2;
    /** One part in so many of the time may pass in exchanges. */
    private static final int DUTY = 2;
    /** The pause grows up to so many times its length. */
    private static final int LONGEST = 4;

    private final long pauseNanos;
    private final LongSupplier nanoTime;
    private double gapNanos = Duration.ofSeconds(1).toNanos();
    private double tookNanos;
    private long foundNanos;
    private long untilNanos;

    ScanPace(Duration pause, LongSupplier nanoTime) {
        this.pauseNanos = pause.toNanos();
        this.nanoTime = nanoTime;
        this.foundNanos = nanoTime.getAsLong();
        this.untilNanos = foundNanos;
    }

    /** The time until the next round may begin; not positive = now. */
    long leftNanos() {
        return untilNanos - nanoTime.getAsLong();
    }

    /**
     * Notes a round that found due messages, when its exchange with Redis has ended.
     *
     * @param begunNanos its beginning
     * @param messages the number of messages that were due
     * @param isBacklog whether more messages are due
     */
    void found(long begunNanos, int messages, boolean isBacklog) {
        gapNanos += WEIGHT * ((double) (begunNanos - foundNanos) / messages - gapNanos);
        tookNanos += WEIGHT * (nanoTime.getAsLong() - begunNanos - tookNanos);
        foundNanos = begunNanos;
        boolean paused = !isBacklog && gapNanos <= (double) RARE * pauseNanos;
        untilNanos = begunNanos + (paused ? pauseNanos() : 0);
    }

    private long pauseNanos() {
        return Math.min(LONGEST * pauseNanos, Math.max(pauseNanos, (long) (DUTY * tookNanos)));
    }
}
