package io.mykit.delay.test.bench.rig;

import static java.util.stream.Collectors.toMap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/**
 * CPU time of the threads of a JVM that compile its code. They work for minutes after a start, at ordinary rates more than the code that
 * they compile, and rest after that. The JVM ends such threads and starts new ones: the time of a thread that ends between two laps is
 * left out.
 */
public final class CompilerClock {
    private final Path threads;
    private Map<Path, Double> before;

    public CompilerClock(long pid) {
        threads = Path.of("/proc", Long.toString(pid), "task");
        before = read();
    }

    /** Seconds since the last call or, the first time, since this was made. */
    public double lap() {
        Map<Path, Double> now = read();
        double spent = 0;
        for (Map.Entry<Path, Double> thread : now.entrySet()) {
            spent += thread.getValue() - before.getOrDefault(thread.getKey(), 0.0);
        }
        before = now;
        return spent;
    }

    private Map<Path, Double> read() {
        try (Stream<Path> all = Files.list(threads)) {
            return all.collect(toMap(thread -> thread, CompilerClock::seconds));
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
