package io.mykit.delay.test.bench.rig;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What is reachable in another JVM. */
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
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Process process = new ProcessBuilder(jcmd, Long.toString(pid), "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        String histogram = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return histogram
                .lines()
                .filter(line -> line.startsWith("Total"))
                .map(line -> Long.parseLong(line.trim().split(" +", -1)[2]))
                .findFirst()
                .orElseThrow(() -> new IOException("no histogram: " + histogram));
    }
}
