package io.mykit.delay.common.time;

import java.util.function.LongSupplier;

/**
 * Nanoseconds that pass as {@link System#nanoTime()} does, and also while the machine is suspended: {@link System#nanoTime()} stops
 * then, and the wall clock does not. It is for the age of leases and of what a leader knows; a clock that reads a file, as {@link
 * BootTime} does, is too slow to be asked before each send.
 *
 * <p>A step of the wall clock ahead counts as a suspension of that length, so that leases look older than they are. A step back changes
 * nothing. A virtual machine that its host paused is not noticed unless its wall clock is set. Thread-safe; does not block.
 */
public final class ElapsedTime implements LongSupplier {
    /** A shorter difference is noise of the two readings. */
    private static final long STEP_NANOS = 200_000_000;

    private static final long NANOS_PER_MS = 1_000_000;

    private final LongSupplier wallClockMs;
    private final LongSupplier nanoTime;
    private volatile Suspended suspended;

    /**
     * @param wallClockMs as {@link System#currentTimeMillis()}
     * @param nanoTime as {@link System#nanoTime()}
     */
    public ElapsedTime(LongSupplier wallClockMs, LongSupplier nanoTime) {
        this.wallClockMs = wallClockMs;
        this.nanoTime = nanoTime;
        this.suspended = new Suspended(offset(nanoTime.getAsLong()), 0);
    }

    @Override
    public long getAsLong() {
        long now = nanoTime.getAsLong();
        return now + suspendedNanos(now);
    }

    /**
     * The sum of the suspensions until now.
     *
     * @param now {@link System#nanoTime()}, read just before
     */
    long suspendedNanos(long now) {
        Suspended known = suspended;
        return isStep(offset(now) - known.offsetNanos) ? stepped() : known.nanos;
    }

    private synchronized long stepped() {
        long offset = offset(nanoTime.getAsLong());
        long step = offset - suspended.offsetNanos;
        if (isStep(step)) {
            suspended = new Suspended(offset, suspended.nanos + Math.max(0, step));
        }
        return suspended.nanos;
    }

    private long offset(long nowNanos) {
        return wallClockMs.getAsLong() * NANOS_PER_MS - nowNanos;
    }

    private static boolean isStep(long nanos) {
        return Math.abs(nanos) > STEP_NANOS;
    }

    /**
     * The suspensions so far.
     *
     * @param offsetNanos the wall clock minus the monotonic clock at the last step
     * @param nanos the sum of the suspensions
     */
    private record Suspended(long offsetNanos, long nanos) {}
}
