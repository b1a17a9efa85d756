package io.mykit.delay.test.bench.rig;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** The arrivals, and their lateness. Thread-safe. */
public final class Tally {
    private static final long MAX_MICROS = TimeUnit.MINUTES.toMicros(30);
    private static final long WINDOW_MICROS = TimeUnit.SECONDS.toMicros(5);

    private final Histogram micros = new Histogram(MAX_MICROS, 3);
    /** By due time. */
    private final Map<Long, Histogram> windows = new TreeMap<>();

    private final Set<String> ids;
    private long arrived;
    private long again;
    private long early;
    private long lastNanos;

    /** The wall clock, in microseconds since the epoch. */
    public static long nowMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    public Tally() {
        this(null);
    }

    private Tally(Set<String> ids) {
        this.ids = ids;
    }

    /** A tally that remembers the id of each message, which costs memory. */
    public static Tally ofIds() {
        return new Tally(new HashSet<>());
    }

    /** @param id of a message of the server, else null */
    synchronized void arrived(long dueMicros, String id) {
        long late = nowMicros() - dueMicros;
        arrived++;
        lastNanos = System.nanoTime();
        if (ids != null && !ids.add(id)) {
            again++;
        }
        if (late < 0) {
            early++;
        }
        long value = Math.min(MAX_MICROS, Math.max(0, late));
        micros.recordValue(value);
        windows.computeIfAbsent(dueMicros / WINDOW_MICROS, window -> new Histogram(MAX_MICROS, 2))
                .recordValue(value);
    }

    public synchronized long arrived() {
        return arrived;
    }

    /**
     * How many came that had come before.
     *
     * @throws IllegalStateException if it was not made for that
     */
    public synchronized long again() {
        if (ids == null) {
            throw new IllegalStateException("a tally without ids");
        }
        return again;
    }

    /** How many came before they were due. */
    public synchronized long early() {
        return early;
    }

    /** When the latest came, of {@link System#nanoTime()}. */
    public synchronized long lastNanos() {
        return lastNanos;
    }

    public synchronized double millisAt(double percentile) {
        return micros.getValueAtPercentile(percentile) / 1000.0;
    }

    /**
     * The same for each five seconds of due times, in order, save the first and the last ones, which have fewer messages. A single stall of
     * the machine is in one of them.
     */
    public synchronized List<Double> millisOfWindowsAt(double percentile) {
        List<Double> all = windows.values().stream()
                .map(window -> window.getValueAtPercentile(percentile) / 1000.0)
                .toList();
        return all.size() < 3 ? all : all.subList(1, all.size() - 1);
    }

    /**
     * Waits until so many arrived.
     *
     * @throws IllegalStateException if they do not
     */
    public void await(long count, Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (arrived() < count) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(arrived() + " of " + count + " arrived within " + atMost);
            }
            TimeUnit.MILLISECONDS.sleep(2);
        }
    }
}
