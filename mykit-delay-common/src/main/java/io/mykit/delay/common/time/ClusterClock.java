package io.mykit.delay.common.time;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The time that all nodes agree on: the index server's, kept as an offset to this machine's monotonic clock.
 *
 * <p>It is an upper bound: never behind the shared clock, and ahead of it by at most the round trip of the last sample.
 * So a message's creation time is never before the moment at which its producer asked, and a delay counted from it never
 * ends early. Between two samples it advances with {@link System#nanoTime()}, so a step of the local wall clock does no
 * harm. Before the first sample it is the local wall clock. Thread-safe.
 */
public final class ClusterClock implements InstantSource {
    private static final long NANOS_PER_MS = 1_000_000;
    /** Longer round trips are pauses of this process, most likely before it asked, and would put the clock ahead. */
    private static final long MAX_AGE_NANOS = 100 * NANOS_PER_MS;

    private final LongSupplier nanoTime;
    /** Shared epoch nanoseconds minus monotonic nanoseconds. */
    private volatile long offsetNanos;

    private volatile boolean sampled;

    public ClusterClock() {
        this(System::currentTimeMillis, System::nanoTime);
    }

    /** For tests that move time by hand. */
    public ClusterClock(LongSupplier wallClockMs, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.offsetNanos = wallClockMs.getAsLong() * NANOS_PER_MS - nanoTime.getAsLong();
    }

    /**
     * Takes a sample of the shared clock.
     *
     * @param sharedMicros what the shared clock showed, epoch microseconds
     * @param askedNanos {@link #nanos()} just before it was asked; the round trip is taken as the sample's age
     */
    public void sample(long sharedMicros, long askedNanos) {
        long now = nanoTime.getAsLong();
        long ageNanos = Math.min(now - askedNanos, MAX_AGE_NANOS);
        offsetNanos = TimeUnit.MICROSECONDS.toNanos(sharedMicros) + ageNanos - now;
        sampled = true;
    }

    /** Whether the shared clock was ever seen. */
    public boolean isSampled() {
        return sampled;
    }

    /** Monotonic nanoseconds, for durations only. */
    public long nanos() {
        return nanoTime.getAsLong();
    }

    @Override
    public long millis() {
        return Math.floorDiv(offsetNanos + nanoTime.getAsLong(), NANOS_PER_MS);
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }
}
