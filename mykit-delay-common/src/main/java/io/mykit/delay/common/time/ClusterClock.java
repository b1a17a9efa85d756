package io.mykit.delay.common.time;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The time that all nodes agree on: the index server's, kept as an offset to this machine's monotonic clock.
 *
 * <p>Between two samples it advances with {@link System#nanoTime()}, so a step of the local wall clock cannot make a
 * message early. Before the first sample it is the local wall clock. Thread-safe.
 */
public final class ClusterClock implements InstantSource {
    private static final long NANOS_PER_MS = 1_000_000;
    private static final long MAX_ROUND_TRIP_MS = 100;

    private final LongSupplier nanoTime;
    /** Shared epoch milliseconds minus monotonic milliseconds. */
    private volatile long offsetMs;

    private volatile boolean sampled;

    public ClusterClock() {
        this(System::currentTimeMillis, System::nanoTime);
    }

    /** For tests that move time by hand. */
    public ClusterClock(LongSupplier wallClockMs, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.offsetMs = wallClockMs.getAsLong() - monotonicMs();
    }

    /**
     * Takes a sample of the shared clock.
     *
     * @param sharedMs what the shared clock showed, epoch milliseconds
     * @param askedNanos {@link #nanos()} just before it was asked; half of the round trip is taken as its age, but nothing
     *     of one over {@value #MAX_ROUND_TRIP_MS} ms: this process may have been paused before it asked, and a clock that
     *     is ahead makes messages early, while one that is behind until the next sample makes them late
     */
    public void sample(long sharedMs, long askedNanos) {
        long roundTripNanos = nanoTime.getAsLong() - askedNanos;
        long ageMs = roundTripNanos > MAX_ROUND_TRIP_MS * NANOS_PER_MS ? 0 : roundTripNanos / 2 / NANOS_PER_MS;
        offsetMs = sharedMs + ageMs - monotonicMs();
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
        return offsetMs + monotonicMs();
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }

    private long monotonicMs() {
        return Math.floorDiv(nanoTime.getAsLong(), NANOS_PER_MS);
    }
}
