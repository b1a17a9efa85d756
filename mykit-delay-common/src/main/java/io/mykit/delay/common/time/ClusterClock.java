package io.mykit.delay.common.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The time that all nodes agree on: the index server's, kept as an offset to this machine's monotonic clock. It is kept
 * twice, because that server's clock may jump, as after a failover to a host whose clock is wrong.
 *
 * <ul>
 *   <li>{@link #millis()} is an upper bound: never behind the shared clock as it was last seen, and ahead of it by at most
 *       the round trip of a sample and the drift since. Creation times are taken from it. So a delay counted from the
 *       creation time never ends early.
 *   <li>{@link #steady()} is the time by which due times are judged. It is never ahead of the other. It follows a step of
 *       the shared clock at once if that is back, or ahead by at most {@link #TOLERANCE}. A longer step ahead it follows
 *       by one hundredth of the time that passes.
 * </ul>
 *
 * <p>Between two samples both advance with {@link System#nanoTime()}, so a step of the local wall clock does no harm. Before
 * the first sample both are the local wall clock. Thread-safe.
 */
public final class ClusterClock implements InstantSource {
    /** Also how much earlier than by {@link #steady()} a message may be sent. */
    public static final Duration TOLERANCE = Duration.ofMillis(50);

    private static final long NANOS_PER_MS = 1_000_000;
    private static final long TOLERANCE_NANOS = TOLERANCE.toNanos();
    /** An answer that took longer was read by a process that had been paused: a probe is given up before. */
    private static final long MAX_ROUND_TRIP_NANOS = 2_000 * NANOS_PER_MS;
    /** Two clocks drift apart by at most one part in so many. */
    private static final long DRIFT = 5_000;
    /** Of a step ahead, the steady time makes up for one part in so many of the time that passes. */
    private static final long SLEW = 100;
    /** What {@link BootTime} and the monotonic clock may differ by, unless the machine was suspended. */
    private static final long SUSPENDED_NANOS = 200 * NANOS_PER_MS;

    private final LongSupplier wallClockMs;
    private final LongSupplier nanoTime;
    private final LongSupplier bootNanos;
    private final ClockJumps jumps;
    private volatile Offsets offsets;
    private volatile boolean sampled;
    private long suspendedNanos;

    public ClusterClock() {
        this(System::currentTimeMillis, System::nanoTime);
    }

    private ClusterClock(LongSupplier wallClockMs, LongSupplier nanoTime) {
        this(wallClockMs, nanoTime, new BootTime(wallClockMs));
    }

    /**
     * For tests that move time by hand.
     *
     * @param bootNanos goes on while the machine is suspended, and {@code nanoTime} does not
     */
    ClusterClock(LongSupplier wallClockMs, LongSupplier nanoTime, LongSupplier bootNanos) {
        this.wallClockMs = wallClockMs;
        this.nanoTime = nanoTime;
        this.bootNanos = bootNanos;
        long now = nanoTime.getAsLong();
        long offset = wallClockMs.getAsLong() * NANOS_PER_MS - now;
        this.offsets = new Offsets(offset, offset, 0, now);
        this.suspendedNanos = bootNanos.getAsLong() - now;
        this.jumps = new ClockJumps(nanoTime, () -> aheadOfThisMachine().toNanos());
    }

    /**
     * Takes a sample of the shared clock.
     *
     * @param sharedMicros what the shared clock showed, epoch microseconds
     * @param askedNanos {@link #nanos()} just before it was asked; the whole round trip is taken as the sample's age
     */
    public synchronized void sample(long sharedMicros, long askedNanos) {
        long now = nanoTime.getAsLong();
        if (wasSuspended(now)) {
            jumps.forgive();
        }
        if (now - askedNanos > MAX_ROUND_TRIP_NANOS) {
            return;
        }
        long least = TimeUnit.MICROSECONDS.toNanos(sharedMicros) - now;
        // The shared clock shows whole microseconds.
        long most = least + (now - askedNanos) + 1_000;
        if (!sampled) {
            jumps.first(most - offsets.shared);
            offsets = new Offsets(most, most, most - least, now);
            sampled = true;
            return;
        }
        offsets = next(offsets, least, most, now);
    }

    private Offsets next(Offsets old, long least, long most, long now) {
        long drift = old.drift(now);
        long bound = old.shared + drift;
        // Where the old bound does not hold any more, the clock has gone ahead.
        long shared = Math.min(most, bound) < least ? most : Math.min(most, bound);
        long back = bound - most - old.error - drift;
        long steady = Math.min(old.steady + drift, shared);
        long ahead = least - steady;
        if (jumps.met(ahead, back, TOLERANCE_NANOS)) {
            // Not far, or this machine was suspended and the shared clock was not.
            steady = Math.max(steady, Math.min(shared, least + TOLERANCE_NANOS));
        } else {
            steady += Math.min(ahead, (now - old.atNanos) / SLEW);
        }
        return new Offsets(shared, steady, shared - least, now);
    }

    private boolean wasSuspended(long now) {
        long before = suspendedNanos;
        suspendedNanos = bootNanos.getAsLong() - now;
        return suspendedNanos - before > SUSPENDED_NANOS;
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
        Offsets current = offsets;
        long now = nanoTime.getAsLong();
        return Math.floorDiv(current.shared + current.drift(now) + now, NANOS_PER_MS);
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }

    /** The time by which due times, leases and times to live are judged. */
    public InstantSource steady() {
        return () -> Instant.ofEpochMilli(Math.floorDiv(steadyNanos(), NANOS_PER_MS));
    }

    /**
     * What falls due later than this must not be sent now, whatever the shared clock shows; epoch microseconds. Without a
     * bound until the shared clock was seen.
     */
    public long latestDueMicros() {
        return sampled ? Math.floorDiv(steadyNanos() + TOLERANCE_NANOS, 1_000) : Long.MAX_VALUE;
    }

    private long steadyNanos() {
        Offsets current = offsets;
        long now = nanoTime.getAsLong();
        return current.steady + current.drift(now) + now;
    }

    /** How far {@link #steady()} is ahead of this machine's wall clock. */
    public Duration aheadOfThisMachine() {
        return Duration.ofNanos(steadyNanos() - wallClockMs.getAsLong() * NANOS_PER_MS);
    }

    /** The steps of the shared clock that were seen. */
    public ClockJumps jumps() {
        return jumps;
    }

    /**
     * Epoch nanoseconds minus monotonic nanoseconds.
     *
     * @param shared upper bound of the shared clock's
     * @param error how much less it may be
     * @param atNanos when it was so, monotonic
     */
    private record Offsets(long shared, long steady, long error, long atNanos) {
        /** What both have to be raised by so that they stay upper bounds. */
        long drift(long now) {
            return (now - atNanos) / DRIFT;
        }
    }
}
