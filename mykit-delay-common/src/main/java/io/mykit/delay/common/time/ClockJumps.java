package io.mykit.delay.common.time;

import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.health.HealthCheck;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects the steps of the shared clock, as after a failover to a host with another time, or by an operator. After a step,
 * {@code clock} in {@code /health} is down until the steady time has caught up, and for at least ten minutes. One thread
 * adds samples; any thread may read.
 */
public final class ClockJumps implements HealthCheck {
    private static final Logger LOG = LoggerFactory.getLogger(ClockJumps.class);
    private static final long SHOWN_NANOS = Duration.ofMinutes(10).toNanos();
    /** The difference of this machine's clock at the first sample above which the log has a line. */
    private static final Duration WRONG = Duration.ofSeconds(1);

    private final LongSupplier nanoTime;
    private final LongSupplier aheadNanos;
    /** Whether the next sample is the first one after a suspension, and so does not count as a step. */
    private boolean forgiven;

    private volatile boolean sampled;
    private volatile Duration behind = Duration.ZERO;
    private final AtomicLong count = new AtomicLong();
    private volatile Duration last = Duration.ZERO;
    private volatile long lastNanos;

    /**
     * @param aheadNanos how far the clock for due times is ahead of this machine's clock
     */
    ClockJumps(LongSupplier nanoTime, LongSupplier aheadNanos) {
        this.nanoTime = nanoTime;
        this.aheadNanos = aheadNanos;
    }

    /** Tells that this machine was suspended. The next sample may differ by the length of the suspension. */
    void forgive() {
        forgiven = true;
    }

    /** The first sample replaces this machine's clock. */
    void first(long differenceNanos) {
        sampled = true;
        Duration difference = Duration.ofNanos(differenceNanos);
        if (difference.abs().compareTo(WRONG) > 0) {
            LOG.warn(
                    "Redis' clock is {} of this machine's by {}. Messages that this node accepted before it saw Redis are"
                            + " due that much too {}. Set the clocks by NTP",
                    difference.isNegative() ? "behind" : "ahead",
                    difference.abs(),
                    difference.isNegative() ? "late" : "early");
        }
    }

    /**
     * Adds a sample.
     *
     * @param aheadNanos the least distance by which the shared clock is ahead of the steady time; negative = it is not
     *     ahead
     * @param backNanos the least distance by which the shared clock went back; negative = it did not go back
     * @return whether the steady time may follow at once
     */
    boolean met(long aheadNanos, long backNanos, long toleranceNanos) {
        boolean forgive = forgiven;
        forgiven = false;
        if (forgive || aheadNanos <= toleranceNanos) {
            if (!forgive && backNanos > toleranceNanos) {
                jumped(Duration.ofNanos(-backNanos));
            } else if (!behind.isZero()) {
                LOG.info("Due times follow Redis' clock again");
            }
            behind = Duration.ZERO;
            return true;
        }
        if (aheadNanos - behind.toNanos() > toleranceNanos) {
            jumped(Duration.ofNanos(aheadNanos - behind.toNanos()));
        }
        behind = Duration.ofNanos(aheadNanos);
        return false;
    }

    private void jumped(Duration by) {
        last = by;
        lastNanos = nanoTime.getAsLong();
        count.incrementAndGet();
        LOG.warn(
                "Redis' clock went {} by {} ms (a failover to a host with another time, or its clock was set): messages"
                        + " are late by up to that for a while. Set the clocks of all Redis hosts by NTP",
                by.isNegative() ? "back" : "ahead",
                by.abs().toMillis());
    }

    /** How far the steady time is behind the shared clock after a jump ahead. */
    public Duration behind() {
        return behind;
    }

    /** The number of steps since the start. */
    public long count() {
        return count.get();
    }

    @Override
    public String name() {
        return "clock";
    }

    /** Details: {@code source}, {@code aheadOfThisMachineMs}; after a jump {@code reason}, {@code jumps}, {@code lastJumpMs}, {@code behindMs}. */
    @Override
    public Health check() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("source", sampled ? "redis" : "this machine, until Redis is seen");
        details.put("aheadOfThisMachineMs", Math.round(aheadNanos.getAsLong() / 1e3) / 1e3);
        boolean recent = count.get() > 0 && nanoTime.getAsLong() - lastNanos < SHOWN_NANOS;
        boolean up = behind.isZero() && !recent;
        if (count.get() > 0) {
            details.put("jumps", count.get());
            details.put("lastJumpMs", last.toMillis());
            details.put("behindMs", behind.toMillis());
        }
        if (!up) {
            details.put(
                    "reason",
                    "Redis' clock jumped: messages are late by up to "
                            + last.abs().toMillis() + " ms for a while; set the clocks of all Redis hosts by NTP");
        }
        return new Health(up, details);
    }
}
