package io.mykit.delay.test.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;

/** The share of the machine that other processes took: figures taken beside other work say more about that work. */
final class Others {
    /** The columns of /proc/stat: user, nice, system, (idle, iowait,) irq, softirq. */
    private static final int[] BUSY = {1, 2, 3, 6, 7};

    private static final double TICKS_PER_SECOND = 100;

    private long busyBefore = busy();
    private long oursBefore = ours();
    private long nanosBefore = System.nanoTime();

    /** Cores that others kept busy, on average since the last call. */
    double lap() {
        long busy = busy();
        long ours = ours();
        long nanos = System.nanoTime();
        double others = (busy - busyBefore) - (ours - oursBefore);
        double cores = others / TICKS_PER_SECOND * 1e9 / (nanos - nanosBefore);
        busyBefore = busy;
        oursBefore = ours;
        nanosBefore = nanos;
        return Math.max(0, cores);
    }

    private static long busy() {
        String[] fields =
                read(Path.of("/proc/stat")).lines().findFirst().orElseThrow().split(" +", -1);
        long ticks = 0;
        for (int field : BUSY) {
            ticks += Long.parseLong(fields[field]);
        }
        return ticks;
    }

    /** This process, its children that have ended, and those that live. */
    private static long ours() {
        LongStream alive = ProcessHandle.current().descendants().mapToLong(child -> ticks(child.pid(), 2));
        return ticks(ProcessHandle.current().pid(), 4) + alive.sum();
    }

    /** The first fields of utime, stime, cutime and cstime. */
    private static long ticks(long pid, int fields) {
        String stat = read(Path.of("/proc", Long.toString(pid), "stat"));
        if (stat.isEmpty()) {
            return 0;
        }
        String[] parts = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        long ticks = 0;
        for (int i = 0; i < fields; i++) {
            ticks += Long.parseLong(parts[11 + i]);
        }
        return ticks;
    }

    /** Empty if the process has ended meanwhile. */
    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException gone) {
            return "";
        }
    }
}
