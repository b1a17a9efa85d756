package io.mykit.delay.test.bench.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * CPU time of the threads of a JVM that compile its code. They work for minutes after a start, at ordinary rates more than the code that
 * they compile, and rest after that.
 */
public final class CompilerClock {
    private final Path threads;
    private double before;

    public CompilerClock(long pid) {
        threads = Path.of("/proc", Long.toString(pid), "task");
        before = read();
    }

    /** Seconds since the last call or, the first time, since this was made. */
    public double lap() {
        double now = read();
        double spent = now - before;
        before = now;
        return spent;
    }

    private double read() {
        try (Stream<Path> all = Files.list(threads)) {
            return all.mapToDouble(CompilerClock::seconds).sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double seconds(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            // Linux keeps fifteen letters of the name.
            return stat.contains("(C1 CompilerThre") || stat.contains("(C2 CompilerThre") ? CpuClock.seconds(stat) : 0;
        } catch (NoSuchFileException e) {
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
