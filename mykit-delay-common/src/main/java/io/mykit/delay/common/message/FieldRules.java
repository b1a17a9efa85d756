package io.mykit.delay.common.message;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.value.DurationParser;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.regex.Pattern;

/** The rules for the text of a message's fields, the same in JSON, query, form and path. */
public final class FieldRules {
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,18}");

    private FieldRules() {}

    /** Whether a text is an integer that a long has. */
    public static boolean isNumber(String text) {
        return NUMBER.matcher(text).matches();
    }

    /** Checks the id of an existing message; {@code field} is the name that the caller used. */
    public static String id(String field, String id) {
        if (id == null || id.isEmpty()) {
            throw invalid(field + " is required");
        }
        return name(field, id, MessageLimits.MAX_ID);
    }

    /** Checks the key of a push; see {@link MessageLimits#MAX_IDEMPOTENCY_KEY}. */
    public static String idempotencyKey(String field, String key) {
        if (!isToken(key, MessageLimits.MAX_IDEMPOTENCY_KEY)) {
            throw invalid(field + " must be 1 to " + MessageLimits.MAX_IDEMPOTENCY_KEY
                    + " characters of printable ASCII without spaces");
        }
        return key;
    }

    /**
     * Whether a text is usable as the id of a request: 1 to {@value MessageLimits#MAX_REQUEST_ID} characters of printable ASCII without
     * spaces. It comes from proxies, so an unusable one is left out and refuses nothing.
     *
     * @param text null = none was given
     */
    public static boolean isRequestId(String text) {
        return text != null && isToken(text, MessageLimits.MAX_REQUEST_ID);
    }

    private static boolean isToken(String text, int limit) {
        return !text.isEmpty() && text.length() <= limit && text.chars().allMatch(c -> c > ' ' && c <= '~');
    }

    /**
     * Checks a text that is a name. White space at its ends is refused, because MySQL's older collations ignore it:
     * {@code "20 "} would find the message {@code "20"}.
     */
    public static String name(String field, String text, int limit) {
        checkPlain(field, text, limit);
        if (!text.isEmpty() && (isSpace(text.charAt(0)) || isSpace(text.charAt(text.length() - 1)))) {
            throw invalid(field + (text.isBlank() ? " is blank" : " begins or ends with white space"));
        }
        return paired(field, text);
    }

    /** Checks a name that must not be empty: an empty text comes from a script whose variable is not set. */
    public static String required(String field, String text, int limit) {
        if (text.isEmpty()) {
            throw invalid(field + " is empty");
        }
        return name(field, text, limit);
    }

    /** Checks a text of one line that is no name. It may begin and end with white space. */
    public static String plain(String field, String text, int limit) {
        checkPlain(field, text, limit);
        return paired(field, text);
    }

    private static void checkPlain(String field, String text, int limit) {
        if (text.length() > limit) {
            throw invalid(field + " is longer than " + limit + " characters");
        }
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                throw invalid(field + " contains a control character");
            }
        }
    }

    /** Checks that a text has no unpaired surrogates. They have no UTF-8, and the consumer would get another text. */
    public static String paired(String field, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                boolean pair = Character.isHighSurrogate(c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!pair) {
                    throw invalid(field + " contains an unpaired surrogate");
                }
                i++;
            }
        }
        return text;
    }

    /** A Base64 text in the one form that the stores compare: with padding, and with zeros as spare bits. */
    public static String base64(String field, String text) {
        try {
            return Base64.getEncoder().encodeToString(Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException notBase64) {
            throw invalid(field + " must be Base64 (RFC 4648, section 4)");
        }
    }

    public static long range(String field, long value, long max) {
        if (value < 0) {
            throw invalid(field + " must not be negative");
        }
        if (value > max) {
            throw invalid(field + " must not be greater than " + max);
        }
        return value;
    }

    /** Reads a duration: digits are milliseconds, another text has its units. */
    public static Duration duration(String field, String text) {
        return duration(field, text, "milliseconds");
    }

    /** The same for a field whose number has another unit, which the refusal names. */
    public static Duration duration(String field, String text, String unit) {
        try {
            return isNumber(text) ? Duration.ofMillis(Long.parseLong(text)) : DurationParser.parse(text);
        } catch (IllegalArgumentException noDuration) {
            throw noDuration(field, unit);
        }
    }

    public static DelayException noDuration(String field, String unit) {
        return invalid(field + " must be a number of " + unit + ", or a text such as 500ms, 10s, 5m or 1h30m");
    }

    public static Duration range(String field, Duration duration, Duration min, Duration max) {
        if (duration.compareTo(min) < 0 || duration.compareTo(max) > 0) {
            throw invalid(field + " must be from " + DurationParser.format(min) + " to " + DurationParser.format(max));
        }
        return duration;
    }

    /** Reads a point in time with its zone, as epoch milliseconds. */
    public static long instant(String field, String text) {
        try {
            return OffsetDateTime.parse(text).toInstant().toEpochMilli();
        } catch (DateTimeException | ArithmeticException noTime) {
            throw invalid(field + " must be epoch milliseconds, or a time such as 2027-01-15T08:00:00Z or"
                    + " 2027-01-15T16:00:00+08:00");
        }
    }

    /** Checks a point in time, in epoch milliseconds. */
    public static long time(String field, long value) {
        if (value < MessageLimits.MIN_TIME_MS) {
            throw invalid(field + " must be epoch milliseconds, not less than " + MessageLimits.MIN_TIME_MS
                    + " (2001-01-01): " + value
                    + (value == 0 ? " is no time, leave the field out instead" : " looks like seconds"));
        }
        return value;
    }

    public static DelayException invalid(String message) {
        return new DelayException(ErrorCode.INVALID_REQUEST, message);
    }

    private static boolean isSpace(char c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c);
    }
}
