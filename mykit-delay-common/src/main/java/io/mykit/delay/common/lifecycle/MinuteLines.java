package io.mykit.delay.common.lifecycle;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Decides for events that come in thousands which of them have a line in the log: for each name the first one, and after that one in a
 * minute, with the number of events since the last line. Beyond {@value #MAX_NAMES} names within a minute the others share one.
 * Thread-safe.
 */
public final class MinuteLines {
    static final int MAX_NAMES = 1000;
    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final String OTHERS = "";

    private final LongSupplier nanoTime;
    /** Guarded by this. */
    private final Map<String, Line> last = new HashMap<>();

    /** @param nanoTime as {@link System#nanoTime} */
    public MinuteLines(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * Counts an event.
     *
     * @return the number of events of this name since its last line, this one included, if a line is due; 0 = none is due
     */
    public synchronized int count(String name) {
        long now = nanoTime.getAsLong();
        String key = last.containsKey(name) || hasPlace(now) ? name : OTHERS;
        Line line = last.get(key);
        boolean isDue = line == null || isOver(line, now);
        int events = line == null ? 1 : line.events() + 1;
        last.put(key, isDue ? new Line(now, 0) : new Line(line.atNanos(), events));
        return isDue ? events : 0;
    }

    private boolean hasPlace(long now) {
        return last.size() < MAX_NAMES || last.values().removeIf(line -> isOver(line, now));
    }

    private static boolean isOver(Line line, long now) {
        return now - line.atNanos() >= MINUTE_NANOS;
    }

    /**
     * @param atNanos the time of the last line
     * @param events those after it
     */
    private record Line(long atNanos, int events) {}
}
