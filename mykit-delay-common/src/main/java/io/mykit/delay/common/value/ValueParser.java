package io.mykit.delay.common.value;

import java.lang.reflect.Type;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads one configuration value as the type of its mapping. Stateless. */
public final class ValueParser {
    /** No exponent, no sign, no NaN, and few enough digits for a finite number. */
    private static final Pattern DECIMAL = Pattern.compile("\\d{1,9}(\\.\\d{1,9})?");

    private ValueParser() {}

    /**
     * @throws IllegalArgumentException if the text has no value of that type; the message begins with "must be" and gives
     *     the allowed form
     */
    public static Object parse(Type type, String text) {
        if (type == int.class || type == Integer.class) {
            return number(text);
        }
        if (type == double.class || type == Double.class) {
            return fraction(text);
        }
        if (type == boolean.class || type == Boolean.class) {
            return truth(text);
        }
        if (type == Duration.class) {
            return DurationParser.parse(text);
        }
        if (type == Path.class) {
            return path(text);
        }
        if (type == Secret.class) {
            return new Secret(text);
        }
        if (type instanceof Class<?> word && word.isEnum()) {
            return word(word, text);
        }
        if (type == String.class) {
            return text;
        }
        throw new IllegalStateException("no way to read a " + type);
    }

    public static String kebab(Object constant) {
        return constant.toString().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("must be a whole number of at most " + Integer.MAX_VALUE, e);
        }
    }

    private static double fraction(String text) {
        if (!DECIMAL.matcher(text).matches()) {
            throw new IllegalArgumentException("must be a number such as 2 or 0.5");
        }
        return Double.parseDouble(text);
    }

    private static boolean truth(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException("must be true or false");
        }
        return text.equals("true");
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("must be a path: " + e.getReason(), e);
        }
    }

    private static Object word(Class<?> type, String text) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> kebab(constant).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("must be one of "
                        + Arrays.stream(type.getEnumConstants())
                                .map(ValueParser::kebab)
                                .collect(Collectors.joining(", "))));
    }
}
