package io.mykit.delay.queue.store.mybatis;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Columns of times hold UTC: DATETIME(3) in MySQL, {@link #text} in SQLite. They go over the wire as {@link LocalDateTime} or as
 * text, which no driver shifts by the time zone of the JVM or of the session.
 */
final class UtcTime {
    private static final DateTimeFormatter TEXT = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS", Locale.ROOT);

    private static final int LENGTH = "2023-11-14 22:15:23.456".length();

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
        return text(ofMillis(epochMs));
    }

    static String text(LocalDateTime utc) {
        return TEXT.format(utc);
    }

    /** A time as it is stored; null where it is. */
    static LocalDateTime read(ResultSet row, int column) throws SQLException {
        Object stored = row.getObject(column);
        if (stored instanceof String text) {
            return parse(text);
        }
        return stored instanceof LocalDateTime time ? time : row.getObject(column, LocalDateTime.class);
    }

    /** By hand, for a restore reads a million of them: a formatter takes ten times as long. */
    static LocalDateTime parse(String text) {
        if (text.length() != LENGTH) {
            throw new DateTimeParseException("not a time as it is stored", text, 0);
        }
        int millis = number(text, 20, 23);
        return LocalDateTime.of(
                number(text, 0, 4),
                number(text, 5, 7),
                number(text, 8, 10),
                number(text, 11, 13),
                number(text, 14, 16),
                number(text, 17, 19),
                millis * 1_000_000);
    }

    private static int number(String text, int from, int to) {
        return Integer.parseInt(text, from, to, 10);
    }

    /** {@link #text} of times most of which come again. Not thread-safe. */
    static final class Texts {
        private final Map<Long, String> known = new HashMap<>();

        String of(long epochMs) {
            return known.computeIfAbsent(epochMs, UtcTime::text);
        }
    }
}
