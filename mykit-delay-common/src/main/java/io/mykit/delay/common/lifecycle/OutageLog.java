package io.mykit.delay.common.lifecycle;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Logs the outages of one part, for code that retries. It writes one line when an outage begins, one line a minute while it
 * lasts, and one line at its end. Each class of failure has its stack trace once. An outage that begins within ten seconds
 * of the last one is logged only if it lasts longer than these ten seconds, so a part that comes and goes does not flood
 * the log. All other failures are logged at debug.
 *
 * <p>An outage without a success or another failure for two minutes ends without a line.
 *
 * <p>Thread-safe. {@link #succeeded()} costs one volatile read while all is well.
 */
public final class OutageLog {
    private static final long REMIND_NANOS = Duration.ofMinutes(1).toNanos();
    private static final long QUIET_NANOS = Duration.ofSeconds(10).toNanos();
    private static final long FORGET_NANOS = 2 * REMIND_NANOS;
    private static final long TRACES_NANOS = Duration.ofMinutes(10).toNanos();
    /** The maximum of failure classes that are remembered. */
    private static final int MAX_TRACES = 5;

    private final Logger log;
    private final String away;
    private final String back;
    private final LongSupplier nanoTime;
    private final Set<Class<?>> traced = new HashSet<>();
    private volatile boolean failing;
    /** Whether the log has a line about this outage. */
    private boolean told;

    private boolean toldBefore;
    private long count;
    private long sinceNanos;
    private long lastNanos;
    private long lineNanos;
    private long changeNanos;
    private long tracesNanos;

    /**
     * Makes the log of one part or one kind of work.
     *
     * @param away the begin of each line during an outage, such as "The database cannot be used"
     * @param back the begin of the line after an outage, such as "The database can be used again"
     */
    public OutageLog(Logger log, String away, String back) {
        this(log, away, back, System::nanoTime);
    }

    OutageLog(Logger log, String away, String back, LongSupplier nanoTime) {
        this.log = log;
        this.away = away;
        this.back = back;
        this.nanoTime = nanoTime;
    }

    /** Records a failure whose reason needs no stack trace. */
    public void failed(String why) {
        failed(why, null);
    }

    /** @param trace null = none */
    public synchronized void failed(String why, Throwable trace) {
        long now = nanoTime.getAsLong();
        if (failing && now - lastNanos > FORGET_NANOS) {
            failing = false;
        }
        if (!failing) {
            failing = true;
            told = false;
            count = 0;
            sinceNanos = now;
        }
        count++;
        lastNanos = now;
        Throwable shown = isNew(trace, now) ? trace : null;
        if (!told && toldBefore && now - changeNanos < QUIET_NANOS && shown == null) {
            log.debug("{}: {}", away, why, trace);
        } else if (!told) {
            told = true;
            toldBefore = true;
            changeNanos = now;
            say(now, why, shown);
        } else if (shown != null || now - lineNanos >= REMIND_NANOS) {
            say(now, why, shown);
        } else {
            log.debug("{}: {}", away, why, trace);
        }
    }

    /** Whether the last record is a failure that is not older than two minutes. */
    public synchronized boolean isFailing() {
        return failing && nanoTime.getAsLong() - lastNanos <= FORGET_NANOS;
    }

    /** Records a success. */
    public void succeeded() {
        if (failing) {
            end();
        }
    }

    private synchronized void end() {
        if (!failing) {
            return;
        }
        failing = false;
        if (told) {
            log.info("{} after {} s ({} failures)", back, seconds(nanoTime.getAsLong()), count);
        }
    }

    private void say(long now, String why, Throwable shown) {
        lineNanos = now;
        if (count == 1) {
            log.warn("{}: {}", away, why, shown);
        } else {
            log.warn("{} for {} s ({} failures): {}", away, seconds(now), count, why, shown);
        }
    }

    private boolean isNew(Throwable trace, long now) {
        if (trace == null) {
            return false;
        }
        if (now - tracesNanos > TRACES_NANOS) {
            traced.clear();
        }
        if (traced.isEmpty()) {
            tracesNanos = now;
        }
        return traced.size() < MAX_TRACES && traced.add(trace.getClass());
    }

    private long seconds(long now) {
        return Duration.ofNanos(now - sinceNanos).toSeconds();
    }
}
