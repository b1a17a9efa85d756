package io.mykit.delay.test.bench.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * CPU time of processes, user and system, from {@code /proc/<pid>/stat}: in steps of 10 ms, and with everything that
 * ended in it.
 */
public final class CpuClock {
    /** Linux reports it in hundredths of a second on every architecture. */
    private static final double TICKS_PER_SECOND = 100;

    private final Map<String, Long> pids;
    private Map<String, Double> before;

    /** @param pids of the processes, by name */
    public CpuClock(Map<String, Long> pids) {
        this.pids = new LinkedHashMap<>(pids);
        this.before = read();
    }

    /** Seconds by process since the last call or, the first time, since this was made. */
    public Map<String, Double> lap() {
        Map<String, Double> now = read();
        Map<String, Double> spent = new LinkedHashMap<>();
        now.forEach((name, seconds) -> spent.put(name, seconds - before.get(name)));
        before = now;
        return spent;
    }

    /** All of {@link #lap()} together. */
    public double lapTotal() {
        return total(lap());
    }

    /** The seconds of all processes of a {@link #lap()}. */
    public static double total(Map<String, Double> lap) {
        return lap.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    private Map<String, Double> read() {
        Map<String, Double> seconds = new LinkedHashMap<>();
        pids.forEach((name, pid) -> seconds.put(name, seconds(pid)));
        return seconds;
    }

    private static double seconds(long pid) {
        try {
            return seconds(Files.readString(Path.of("/proc", Long.toString(pid), "stat")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The CPU time in a file {@code stat} of a process or a thread. */
    static double seconds(String stat) {
        // The name in parentheses may hold anything; after it come state (3rd field) to utime (14th), stime (15th).
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
    }
}
