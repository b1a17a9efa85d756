package io.mykit.delay.common.time;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * Nanoseconds since a fixed moment, by a clock that also runs while the machine is suspended; {@link System#nanoTime()}
 * stops then. On Linux it is the uptime, elsewhere the wall clock. Thread-safe.
 */
final class BootTime implements LongSupplier {
    private static final Path UPTIME = Path.of("/proc/uptime");
    private static final double NANOS_PER_SECOND = 1e9;

    private final LongSupplier wallClockMs;

    BootTime(LongSupplier wallClockMs) {
        this.wallClockMs = wallClockMs;
    }

    @Override
    public long getAsLong() {
        try {
            String seconds = Files.readString(UPTIME, StandardCharsets.US_ASCII);
            return (long) (Double.parseDouble(seconds.substring(0, seconds.indexOf(' '))) * NANOS_PER_SECOND);
        } catch (IOException | RuntimeException e) {
            return wallClockMs.getAsLong() * 1_000_000;
        }
    }
}
