package io.mykit.delay.queue.scan;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The pause between two rounds of a scan loop. While messages fall due often, messages of all topics and buckets that are due within
 * a pause share a round, and with it the exchange with Redis, the check of their rows and the send. There is no pause while
 * messages are rare, or while more messages are due than a round moves. Used by one thread.
 */
final class ScanPace {
    private static final double GAP_WEIGHT = 1.0 / 8;
    /** Messages that come apart by more than so many pauses are too rare. */
    private static final int RARE = 2;

    private final long pauseNanos;
    private final LongSupplier nanoTime;
    private double gapNanos = Duration.ofSeconds(1).toNanos();
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
     * Notes a round that found due messages.
     *
     * @param begunNanos its beginning
     * @param messages the number of messages that were due
     * @param isBacklog whether more messages are due
     */
    void found(long begunNanos, int messages, boolean isBacklog) {
        gapNanos += GAP_WEIGHT * ((double) (begunNanos - foundNanos) / messages - gapNanos);
        foundNanos = begunNanos;
        boolean paused = !isBacklog && gapNanos <= (double) RARE * pauseNanos;
        untilNanos = begunNanos + (paused ? pauseNanos : 0);
    }
}
