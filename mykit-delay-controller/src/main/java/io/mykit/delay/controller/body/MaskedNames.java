package io.mykit.delay.controller.body;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The names whose values are hidden. Immutable. */
public final class MaskedNames {
    private static final String HIDDEN = "***";

    private final Pattern name;
    /** A parameter in an address: its value ends before the next parameter, and before what cannot stand in an address. */
    private final Pattern parameter;

    /** @param names separated by commas; each may end with {@code *} */
    MaskedNames(String names) {
        name = alternatives(names, ".*");
        parameter = Pattern.compile(
                "([?&](?:" + alternatives(names, "[^=&#\"\\s\\\\]*").pattern() + ")=)[^&#\"\\s\\\\]*",
                Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
    }

    private static Pattern alternatives(String names, String any) {
        String pattern = Arrays.stream(names.split(",", -1))
                .map(String::strip)
                .map(each -> each.endsWith("*")
                        ? Pattern.quote(each.substring(0, each.length() - 1)) + any
                        : Pattern.quote(each))
                .collect(Collectors.joining("|"));
        return Pattern.compile(pattern, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE | Pattern.DOTALL);
    }

    boolean hides(String given) {
        return name.matcher(given).matches();
    }

    /** The text without the values of hidden parameters of addresses in it. */
    String addresses(String text) {
        return parameter.matcher(text).replaceAll("$1" + HIDDEN);
    }

    /** Texts by name, such as headers. */
    Map<String, Object> map(Map<?, ?> texts) {
        Map<String, Object> masked = new LinkedHashMap<>();
        texts.forEach((key, value) -> {
            String field = String.valueOf(key);
            masked.put(field, hides(field) ? HIDDEN : value instanceof String text ? addresses(text) : value);
        });
        return masked;
    }
}
