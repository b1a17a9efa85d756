package io.mykit.delay.queue.store.mybatis;

import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * DATETIME columns hold UTC. They go over the wire as {@link LocalDateTime}, the one type that no driver shifts by the
 * time zone of the JVM or of the session.
 */
final class UtcTime {
    private UtcTime() {}

    static LocalDateTime ofMillis(long epochMs) {
        return LocalDateTime.ofEpochSecond(
                Math.floorDiv(epochMs, 1000), Math.floorMod(epochMs, 1000) * 1_000_000, ZoneOffset.UTC);
    }

    static long toMillis(LocalDateTime utc) {
        return utc.toInstant(ZoneOffset.UTC).toEpochMilli();
    }
}
