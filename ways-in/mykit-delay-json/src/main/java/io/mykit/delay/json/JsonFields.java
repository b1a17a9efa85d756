package io.mykit.delay.json;

import static io.mykit.delay.common.message.FieldRules.invalid;

import com.fasterxml.jackson.core.JsonToken;
import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.common.message.MessageLimits;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Pattern;

/** Reads one typed field, or refuses it with the required type. Stateless. */
public final class JsonFields {
    /** More characters than any long has, also with leading zeros in an exponent. */
    private static final int MAX_NUMBER = 32;

    private static final Pattern DIGITS = Pattern.compile("-?[0-9]+");

    private JsonFields() {}

    public static String string(JsonReader json, String field) {
        if (!json.at(JsonToken.VALUE_STRING)) {
            throw invalid(field + " must be a string");
        }
        return json.text();
    }

    /** A string, or an integer with its digits unchanged: some clients use integers as ids. */
    public static String id(JsonReader json, String field) {
        if (!json.at(JsonToken.VALUE_STRING) && !json.at(JsonToken.VALUE_NUMBER_INT)) {
            throw invalid(field + " must be a string or an integer");
        }
        return json.text();
    }

    public static boolean bool(JsonReader json, String field) {
        boolean value = json.at(JsonToken.VALUE_TRUE);
        if (!value && !json.at(JsonToken.VALUE_FALSE)) {
            throw invalid(field + " must be true or false");
        }
        return value;
    }

    /** Requires an object, whose fields the caller reads. */
    public static void object(JsonReader json, String field) {
        if (!json.isObject()) {
            throw invalid(field + " must be an object");
        }
    }

    /** Requires an array, whose items the caller reads. */
    public static void array(JsonReader json, String field) {
        if (!json.at(JsonToken.START_ARRAY)) {
            throw invalid(field + " must be an array");
        }
    }

    /** A string as it is, any other value as its source text. */
    public static String body(JsonReader json) {
        return json.at(JsonToken.VALUE_STRING) ? json.text() : json.source();
    }

    /** A number, or its decimal digits in a string, as some clients send them. */
    public static long integer(JsonReader json, String field, long max) {
        return integer(json, field, "", max);
    }

    /**
     * The same for a number of something.
     *
     * @param unit for the error, such as {@code milliseconds}; empty = none
     */
    public static long integer(JsonReader json, String field, String unit, long max) {
        boolean number = isNumber(json);
        boolean digits =
                json.at(JsonToken.VALUE_STRING) && DIGITS.matcher(json.text()).matches();
        if (!digits && (!number || json.text().indexOf('.') >= 0)) {
            throw invalid(field + " must be an integer" + (unit.isEmpty() ? "" : " (" + unit + ")"));
        }
        return FieldRules.range(field, exact(field, json.text(), max), max);
    }

    /** A duration from now on, from 0 to {@code max} milliseconds: a number of them, or a text such as {@code 10s}. */
    public static long delayMs(JsonReader json, String field, long max) {
        return isText(json)
                ? limited(field, FieldRules.duration(field, json.text()), Duration.ofMillis(max), max)
                        .toMillis()
                : integer(json, field, "milliseconds", max);
    }

    /** A duration from 0 to {@code max} seconds: a number of them, or a text such as {@code 10m}. */
    public static long seconds(JsonReader json, String field, long max) {
        if (!isText(json)) {
            return integer(json, field, "seconds", max);
        }
        Duration duration =
                limited(field, FieldRules.duration(field, json.text(), "seconds"), Duration.ofSeconds(max), max);
        if (!duration.equals(Duration.ofSeconds(duration.toSeconds()))) {
            throw invalid(field + " must be whole seconds");
        }
        return duration.toSeconds();
    }

    private static Duration limited(String field, Duration duration, Duration most, long max) {
        FieldRules.range(field, duration.isNegative() ? -1 : duration.compareTo(most) > 0 ? max + 1 : 0, max);
        return duration;
    }

    /** A point in time: a number of epoch milliseconds, or a text such as {@code 2027-01-15T08:00:00Z}. */
    public static long timeMs(JsonReader json, String field) {
        long max = MessageLimits.MAX_DUE_TIME_MS;
        long timeMs = isText(json)
                ? FieldRules.range(field, FieldRules.instant(field, json.text()), max)
                : integer(json, field, "epoch milliseconds", max);
        return FieldRules.time(field, timeMs);
    }

    /** A string that is no integer. */
    private static boolean isText(JsonReader json) {
        return json.at(JsonToken.VALUE_STRING) && !DIGITS.matcher(json.text()).matches();
    }

    /** A number of milliseconds, or a text such as {@code 10s}. The limits are in milliseconds. */
    public static long durationMs(JsonReader json, String field, long min, long max) {
        Duration duration = json.at(JsonToken.VALUE_STRING)
                ? FieldRules.duration(field, json.text())
                : Duration.ofMillis(milliseconds(json, field, max));
        return FieldRules.range(field, duration, Duration.ofMillis(min), Duration.ofMillis(max))
                .toMillis();
    }

    private static long milliseconds(JsonReader json, String field, long max) {
        if (!isNumber(json)) {
            throw FieldRules.noDuration(field, "milliseconds");
        }
        return integer(json, field, max);
    }

    /** A number from {@code min} to {@code max}. */
    public static double decimal(JsonReader json, String field, double min, double max) {
        double value = isNumber(json) ? Double.parseDouble(json.text()) : Double.NaN;
        if (value >= min && value <= max) {
            return value;
        }
        throw invalid(field + " must be a number from " + (long) min + " to " + (long) max);
    }

    /** 1e3 is a float to the parser, but an integer to a person. */
    private static boolean isNumber(JsonReader json) {
        return json.at(JsonToken.VALUE_NUMBER_INT) || json.at(JsonToken.VALUE_NUMBER_FLOAT);
    }

    private static long exact(String field, String number, long max) {
        try {
            if (number.length() <= MAX_NUMBER) {
                // JSON allows an exponent in an integer (1e3).
                return number.indexOf('e') < 0 && number.indexOf('E') < 0
                        ? Long.parseLong(number)
                        : new BigDecimal(number).longValueExact();
            }
        } catch (ArithmeticException | NumberFormatException outside) {
            // The answer is the same as for a number that is too long to parse.
        }
        throw invalid(field + " must be an integer between 0 and " + max);
    }
}
