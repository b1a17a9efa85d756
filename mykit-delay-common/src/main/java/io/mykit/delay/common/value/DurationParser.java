package io.mykit.delay.common.value;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads durations as users write them: {@code 4s}, {@code 500ms}, {@code 7d}, {@code 1h30m}, and ISO-8601. */
public final class DurationParser {
    static final String ALLOWED = "a duration such as 500ms, 4s, 5m, 1h30m, 7d or PT4S";

    private static final Pattern PART = Pattern.compile("(\\d+)(ms|s|m|h|d)");

    private DurationParser() {}

    /**
     * @throws IllegalArgumentException if the text is no duration; the message gives the allowed forms
     */
    public static Duration parse(String text) {
        try {
            if (text.equals("0")) {
                return Duration.ZERO;
            }
            return text.startsWith("P") ? Duration.parse(text) : sum(text);
        } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
            throw new IllegalArgumentException("must be " + ALLOWED, e);
        }
    }

    private static Duration sum(String text) {
        Matcher part = PART.matcher(text);
        Duration sum = Duration.ZERO;
        int end = 0;
        while (part.find() && part.start() == end) {
            sum = sum.plus(one(Long.parseLong(part.group(1)), part.group(2)));
            end = part.end();
        }
        if (end != text.length() || end == 0) {
            throw new NumberFormatException(text);
        }
        return sum;
    }

    private static Duration one(long amount, String unit) {
        return switch (unit) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }

    /** The shortest text that {@link #parse} reads as this duration. */
    public static String format(Duration duration) {
        long ms = duration.toMillis();
        if (ms % 1000 != 0) {
            return ms + "ms";
        }
        long seconds = ms / 1000;
        if (seconds == 0 || seconds % 60 != 0) {
            return seconds + "s";
        }
        if (seconds % 86_400 == 0) {
            return seconds / 86_400 + "d";
        }
        return seconds % 3600 == 0 ? seconds / 3600 + "h" : seconds / 60 + "m";
    }
}
