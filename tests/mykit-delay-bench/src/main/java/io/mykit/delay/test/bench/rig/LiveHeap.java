package io.mykit.delay.test.bench.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The live heap of another JVM. */
public final class LiveHeap {

    private LiveHeap() {}

    /** The most memory that a process ever held, heap and all. */
    public static long peakResidentBytes(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .map(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    /** Bytes, after a full collection. */
    public static long bytes(long pid) throws IOException {
        String histogram = Jcmd.run(pid, "GC.class_histogram");
        return histogram
                .lines()
                .filter(line -> line.startsWith("Total"))
                .map(line -> Long.parseLong(line.trim().split(" +", -1)[2]))
                .findFirst()
                .orElseThrow(() -> new IOException("no histogram: " + histogram));
    }
}
