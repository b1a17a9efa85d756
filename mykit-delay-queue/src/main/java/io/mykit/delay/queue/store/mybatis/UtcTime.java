package io.mykit.delay.queue.store.mybatis;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * DATETIME columns hold UTC. They go over the wire as {@link LocalDateTime} or as text, which no driver shifts by the
 * time zone of the JVM or of the session.
 */
final class UtcTime {
    private static final DateTimeFormatter TEXT = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS", Locale.ROOT);

    private UtcTime() {}

    static LocalDateTime ofMillis(long epochMs) {
        return LocalDateTime.ofEpochSecond(
                Math.floorDiv(epochMs, 1000), Math.floorMod(epochMs, 1000) * 1_000_000, ZoneOffset.UTC);
    }

    static long toMillis(LocalDateTime utc) {
        return utc.toInstant(ZoneOffset.UTC).toEpochMilli();
    }

    /** A literal as SQL knows it, for rows that are many: a driver binds it for less than a {@link LocalDateTime}. */
    static String text(long epochMs) {
        return TEXT.format(ofMillis(epochMs));
    }

    /** {@link #text} of times most of which come again. Not thread-safe. */
    static final class Texts {
        private final Map<Long, String> known = new HashMap<>();

        String of(long epochMs) {
            return known.computeIfAbsent(epochMs, UtcTime::text);
        }
    }
}
