package io.mykit.delay.queue.recovery;

import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The progress of a walk over many rows. One thread walks; any thread may read the progress or stop the walk. */
public final class Progress {
    private static final Logger LOG = LoggerFactory.getLogger(Progress.class);
    private static final long LOG_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long UNKNOWN = -1;

    private final String title;
    private final boolean dryRun;
    private final Counter counter;
    private final BooleanSupplier live;
    private final long startedNanos = System.nanoTime();
    private final AtomicLong rows = new AtomicLong();
    private volatile long expected = UNKNOWN;
    private volatile long found = UNKNOWN;
    private volatile long unreachable;
    private volatile boolean stopping;
    private volatile boolean complete;
    private long loggedNanos = startedNanos;

    /**
     * @param title the name of the walk, for the log
     * @param dryRun whether the walk only counts
     * @param counter the counter of rows
     * @param live whether the walk still goes on, for readers
     */
    Progress(String title, boolean dryRun, Counter counter, BooleanSupplier live) {
        this.title = title;
        this.dryRun = dryRun;
        this.counter = counter;
        this.live = live;
    }

    /** Sets about how many rows the walk has. */
    void expect(long count) {
        expected = count;
    }

    /** Adds rows that are done. Logs the progress every few seconds. */
    void advance(int more) {
        rows.addAndGet(more);
        counter.increment(more);
        long now = System.nanoTime();
        if (now - loggedNanos >= LOG_NANOS) {
            loggedNanos = now;
            LOG.info("{}: {}", title, this);
        }
    }

    /**
     * Sets the numbers that the call answers so far. A walk that does not call this method answers all rows that are done.
     *
     * @param leftOut the rows whose buckets Redis does not serve
     */
    void found(long number, long leftOut) {
        found = number;
        unreachable = leftOut;
    }

    /** What the call answers so far: {@code rows}, {@code milliseconds}, and {@code unreachable} unless it is 0. */
    Map<String, Object> found() {
        Map<String, Object> numbers = new LinkedHashMap<>();
        numbers.put("rows", found == UNKNOWN ? rows.get() : found);
        numbers.put("milliseconds", milliseconds());
        if (unreachable > 0) {
            numbers.put("unreachable", unreachable);
        }
        return numbers;
    }

    /** Asks the walk to end after the current page. */
    void stop() {
        stopping = true;
    }

    boolean isStopping() {
        return stopping;
    }

    /** The walk has returned, at its end or because it was stopped. A walk that never does has failed. */
    void complete() {
        complete = true;
    }

    boolean isComplete() {
        return complete;
    }

    String title() {
        return title;
    }

    boolean isDryRun() {
        return dryRun;
    }

    boolean isLive() {
        return live.getAsBoolean();
    }

    /** About how many rows are left; 0 if the number is unknown. */
    long left() {
        return Math.max(0, expected - rows.get());
    }

    long milliseconds() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedNanos);
    }

    private long perSecond() {
        return rows.get() * 1000 / Math.max(1, milliseconds());
    }

    /**
     * The progress for operators: {@code rows} done, about how many in all ({@code of}, unless unknown), {@code perSecond} on
     * average, and {@code secondsLeft} at that rate.
     */
    public Map<String, Object> details() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("rows", rows.get());
        long perSecond = perSecond();
        if (expected != UNKNOWN) {
            details.put("of", Math.max(expected, rows.get()));
        }
        details.put("perSecond", perSecond);
        if (expected != UNKNOWN && perSecond > 0) {
            details.put("secondsLeft", left() / perSecond);
        }
        details.put("milliseconds", milliseconds());
        return details;
    }

    /** The progress as a sentence. */
    @Override
    public String toString() {
        Map<String, Object> now = details();
        String of = now.containsKey("of") ? " of about " + now.get("of") : "";
        String left = now.containsKey("secondsLeft") ? ", about " + now.get("secondsLeft") + " s left" : "";
        return now.get("rows") + of + " rows, " + now.get("perSecond") + " a second" + left;
    }
}
