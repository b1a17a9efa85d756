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
 * Times in columns. They hold UTC: DATETIME(3) in MySQL, {@link #text} in SQLite. Statements carry them as {@link
 * LocalDateTime} or as text, which no driver shifts by the time zone of the JVM or of the session.
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

    /**
     * The time as an SQL literal. Statements with many rows use it, because a driver binds it faster than a {@link
     * LocalDateTime}.
     */
    static String text(long epochMs) {
        return text(ofMillis(epochMs));
    }

    static String text(LocalDateTime utc) {
        return TEXT.format(utc);
    }

    /** Reads a stored time; null if the column is null. */
    static LocalDateTime read(ResultSet row, int column) throws SQLException {
        Object stored = row.getObject(column);
        if (stored instanceof String text) {
            return parse(text);
        }
        return stored instanceof LocalDateTime time ? time : row.getObject(column, LocalDateTime.class);
    }

    /** Parses a time without a formatter, which takes ten times as long: a restore reads a million times. */
    static LocalDateTime parse(String text) {
        if (text.length() != LENGTH) {
            throw new DateTimeParseException("the stored time does not have the format of this table", text, 0);
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

    /** A cache of {@link #text} for times that repeat. Not thread-safe. */
    static final class Texts {
        private final Map<Long, String> known = new HashMap<>();

        String of(long epochMs) {
            return known.computeIfAbsent(epochMs, UtcTime::text);
        }
    }
}
