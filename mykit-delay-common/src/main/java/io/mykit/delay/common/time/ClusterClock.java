package io.mykit.delay.common.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The clock that all nodes share: the clock of Redis, kept as an offset to this machine's monotonic clock. There are two
 * readings of it, because the clock of Redis may jump, as after a failover to a host with a wrong clock.
 *
 * <ul>
 *   <li>{@link #millis()} is an upper bound: it is never behind the shared clock of the last sample, and ahead of it by at
 *       most the round trip of that sample and the drift since. Creation times come from it, so a delay that begins at the
 *       creation time never ends early.
 *   <li>{@link #steady()} decides whether a message is due. It is never ahead of {@link #millis()}. It follows a step of
 *       the shared clock at once if the step goes back, or goes ahead by at most {@link #TOLERANCE}. It follows a longer
 *       step ahead slowly: by one hundredth of the time that passes.
 * </ul>
 *
 * <p>Between two samples both readings advance with {@link System#nanoTime()}. {@link #millis()} also advances while the machine
 * is suspended ({@link ElapsedTime}), so it stays an upper bound before the next sample: a step of the local wall clock ahead moves it until
 * then. Before the first sample both readings are the local wall clock. Thread-safe.
 */
public final class ClusterClock implements InstantSource {
    /**
     * The step ahead that the steady time follows at once. It is also the time by which a message may be sent earlier than
     * {@link #steady()} says.
     */
    public static final Duration TOLERANCE = Duration.ofMillis(50);

    private static final long NANOS_PER_MS = 1_000_000;
    private static final long TOLERANCE_NANOS = TOLERANCE.toNanos();
    /**
     * The longest round trip of a sample. A longer one means that this process was paused, because a probe has a shorter
     * timeout.
     */
    private static final long MAX_ROUND_TRIP_NANOS = 2_000 * NANOS_PER_MS;
    /** Two clocks drift apart by at most one part in this number. */
    private static final long DRIFT = 5_000;
    /** After a step ahead, the steady time gains one part in this number of the time that passes. */
    private static final long SLEW = 100;
    /** For so long a step back is remembered: nodes follow another server sooner. */
    private static final long REMEMBERED_NANOS = Duration.ofHours(1).toNanos();
    /** The largest difference of {@link BootTime} and the monotonic clock on a machine that was not suspended. */
    private static final long SUSPENDED_NANOS = 200 * NANOS_PER_MS;

    private final LongSupplier wallClockMs;
    private final LongSupplier nanoTime;
    private final LongSupplier bootNanos;
    private final ClockJumps jumps;
    private final ElapsedTime elapsed;
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
     * A clock for tests that move time by hand.
     *
     * @param bootNanos a clock that runs while the machine is suspended, unlike {@code nanoTime}
     */
    ClusterClock(LongSupplier wallClockMs, LongSupplier nanoTime, LongSupplier bootNanos) {
        this.wallClockMs = wallClockMs;
        this.nanoTime = nanoTime;
        this.bootNanos = bootNanos;
        long now = nanoTime.getAsLong();
        long offset = wallClockMs.getAsLong() * NANOS_PER_MS - now;
        this.offsets = new Offsets(offset, offset, 0, now, 0, offset, now);
        this.suspendedNanos = bootNanos.getAsLong() - now;
        this.elapsed = new ElapsedTime(wallClockMs, nanoTime);
        this.jumps = new ClockJumps(nanoTime, () -> aheadOfThisMachine().toNanos());
    }

    /**
     * Adds a sample of the shared clock.
     *
     * @param sharedMicros the reading of the shared clock, epoch microseconds
     * @param askedNanos {@link #nanos()} just before the request; the whole round trip counts as the sample's age
     */
    public synchronized void sample(long sharedMicros, long askedNanos) {
        long now = nanoTime.getAsLong();
        if (wasSuspended(now)) {
            jumps.forgive();
            // The answer may be older than the suspension.
            return;
        }
        if (now - askedNanos > MAX_ROUND_TRIP_NANOS) {
            return;
        }
        long least = TimeUnit.MICROSECONDS.toNanos(sharedMicros) - now;
        // The shared clock shows whole microseconds.
        long most = least + (now - askedNanos) + 1_000;
        if (!sampled) {
            jumps.first(most - offsets.shared);
            offsets = new Offsets(most, most, most - least, now, elapsed.suspendedNanos(now), most, now);
            sampled = true;
            return;
        }
        offsets = next(offsets, least, most, now);
    }

    private Offsets next(Offsets old, long least, long most, long now) {
        long drift = old.drift(now);
        long bound = old.shared + drift;
        // If the old upper bound is too low now, the shared clock has gone ahead.
        long shared = Math.min(most, bound) < least ? most : Math.min(most, bound);
        long back = bound - most - old.error - drift;
        long steady = Math.min(old.steady + drift, shared);
        long ahead = least - steady;
        if (jumps.met(ahead, back, TOLERANCE_NANOS)) {
            // The step is short, or this machine was suspended while the shared clock ran on.
            steady = Math.max(steady, Math.min(shared, least + TOLERANCE_NANOS));
        } else {
            steady += Math.min(ahead, (now - old.atNanos) / SLEW);
        }
        boolean isHighest = shared >= old.highest || now - old.highestAtNanos > REMEMBERED_NANOS;
        return new Offsets(
                shared,
                steady,
                shared - least,
                now,
                elapsed.suspendedNanos(now),
                isHighest ? shared : old.highest,
                isHighest ? now : old.highestAtNanos);
    }

    private boolean wasSuspended(long now) {
        long before = suspendedNanos;
        suspendedNanos = bootNanos.getAsLong() - now;
        return suspendedNanos - before > SUSPENDED_NANOS;
    }

    /** Whether there was a sample of the shared clock. */
    public boolean isSampled() {
        return sampled;
    }

    /** Monotonic nanoseconds, for durations only. */
    public long nanos() {
        return nanoTime.getAsLong();
    }

    /** Monotonic time for durations that must also pass while the machine is suspended, as the age of a lease. */
    public ElapsedTime elapsed() {
        return elapsed;
    }

    @Override
    public long millis() {
        Offsets current = offsets;
        long now = nanoTime.getAsLong();
        long suspended = elapsed.suspendedNanos(now) - current.suspendedNanos;
        return Math.floorDiv(current.shared + current.drift(now) + suspended + now, NANOS_PER_MS);
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }

    /**
     * A lower bound of the shared clock and of {@link #steady()}: a message with this due time is due by both already. Before the first
     * sample it is the local wall clock.
     */
    public InstantSource earliest() {
        return () -> Instant.ofEpochMilli(Math.floorDiv(earliestNanos(), NANOS_PER_MS));
    }

    /** The time that decides about due times, leases and times to live. */
    public InstantSource steady() {
        return () -> Instant.ofEpochMilli(Math.floorDiv(steadyNanos(), NANOS_PER_MS));
    }

    /**
     * A message with a later due time must not be sent now, whatever the shared clock shows; epoch microseconds. There is
     * no bound before the first sample.
     */
    public long latestDueMicros() {
        return sampled ? Math.floorDiv(steadyNanos() + TOLERANCE_NANOS, 1_000) : Long.MAX_VALUE;
    }

    private long earliestNanos() {
        Offsets current = offsets;
        long now = nanoTime.getAsLong();
        long drift = current.drift(now);
        return Math.min(current.shared - current.error - drift, current.steady) + now;
    }

    private long steadyNanos() {
        Offsets current = offsets;
        long now = nanoTime.getAsLong();
        return current.steady + current.drift(now) + now;
    }

    /**
     * How far {@link #millis()} has gone back, at most, within the last hour. After a failover to a server with a slower clock, other nodes
     * may still go by the clock of the server before, which is ahead by this.
     */
    public Duration steppedBack() {
        Offsets current = offsets;
        return Duration.ofNanos(current.highest - current.shared);
    }

    /** How far {@link #steady()} is ahead of this machine's wall clock. */
    public Duration aheadOfThisMachine() {
        return Duration.ofNanos(steadyNanos() - wallClockMs.getAsLong() * NANOS_PER_MS);
    }

    /** The observed steps of the shared clock. */
    public ClockJumps jumps() {
        return jumps;
    }

    /**
     * Epoch nanoseconds minus monotonic nanoseconds.
     *
     * @param shared upper bound of the offset of the shared clock
     * @param error the amount by which that offset may be lower
     * @param atNanos the time of the sample, monotonic
     * @param suspendedNanos the suspensions until then
     * @param highest the largest {@code shared} that is remembered
     * @param highestAtNanos the time of the sample that it comes from
     */
    private record Offsets(
            long shared,
            long steady,
            long error,
            long atNanos,
            long suspendedNanos,
            long highest,
            long highestAtNanos) {
        /** The drift since the sample: both offsets plus this amount are still upper bounds. */
        long drift(long now) {
            return (now - atNanos) / DRIFT;
        }
    }
}
