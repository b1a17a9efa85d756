package io.mykit.delay.controller.call;

import static io.mykit.delay.common.message.FieldRules.invalid;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.json.Utf8;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The parameters of a call, from its query and, if it has one, its form. Each name is known, and given once unless the call
 * allows more. Immutable.
 */
public final class Parameters {
    private static final Parameters NONE = new Parameters(Map.of());
    /** More parameters than any call knows: one of too many is unknown or given twice. */
    private static final int MAX_PARAMETERS = 32;
    /** Some clients send an empty object in place of an empty body. */
    private static final String EMPTY_OBJECT = "{}";

    private final Map<String, List<String>> values;

    private Parameters(Map<String, List<String>> values) {
        this.values = values;
    }

    /**
     * @param query raw, or null
     * @param contentType or null
     * @throws io.mykit.delay.common.error.DelayException INVALID_REQUEST; names the parameter
     */
    public static Parameters read(ParameterNames known, String query, String contentType, Buffer body) {
        String form =
                switch (known.place()) {
                    case NOWHERE, QUERY -> "";
                    case QUERY_OR_FORM -> form(contentType, body);
                    case QUERY_FORM_OR_JSON -> isForm(contentType, body) ? form(contentType, body) : "";
                };
        boolean hasQuery = query != null && known.place() != ParameterNames.Place.NOWHERE;
        if (!hasQuery && form.isEmpty()) {
            return NONE;
        }
        Map<String, List<String>> values = new LinkedHashMap<>();
        if (hasQuery) {
            decode(Utf8.ofUrl("query", query), known, values);
        }
        decode(form, known, values);
        return new Parameters(values);
    }

    /** Parameters that stood in a JSON object. Their names are known. */
    public static Parameters of(Map<String, List<String>> values) {
        return values.isEmpty() ? NONE : new Parameters(values);
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    /** The names of the given parameters. */
    public Set<String> names() {
        return values.keySet();
    }

    /** The given value as it is. */
    public Optional<String> text(String name) {
        return Optional.ofNullable(get(name));
    }

    /** All given values of a name that may be repeated. */
    public List<String> texts(String name) {
        return values.getOrDefault(name, List.of());
    }

    /** The value of a parameter that is an integer from {@code min} to {@code max}. */
    public Optional<Long> number(String name, long min, long max) {
        return text(name).map(text -> {
            if (!FieldRules.isNumber(text)) {
                throw invalid(name + " must be an integer");
            }
            long value = Long.parseLong(text);
            if (value < min || value > max) {
                throw invalid(name + " must be between " + min + " and " + max);
            }
            return value;
        });
    }

    /** The value of a parameter that is a duration: a number of milliseconds, or a text such as {@code 10s}. */
    public Optional<Duration> duration(String name, Duration min, Duration max) {
        return text(name).map(text -> FieldRules.range(name, FieldRules.duration(name, text), min, max));
    }

    /** The value of a parameter that is a point in time: epoch milliseconds, or a text such as {@code 2027-01-15T08:00:00Z}. */
    public Optional<Long> time(String name) {
        return moment(name).map(value -> FieldRules.time(name, value));
    }

    /** The same, and 0 or another number is no mistake. */
    public Optional<Long> moment(String name) {
        Optional<String> given = text(name);
        return given.isEmpty() || FieldRules.isNumber(given.get())
                ? number(name, 0, MessageLimits.MAX_DUE_TIME_MS)
                // In a query a plus sign means a blank.
                : given.map(text -> FieldRules.instant(name, text.replace(' ', '+')))
                        .map(value -> FieldRules.range(name, value, MessageLimits.MAX_DUE_TIME_MS));
    }

    /** Refuses all parameters but these, because the others would have no effect. */
    public void requireOnly(List<String> names) {
        String others =
                values.keySet().stream().filter(name -> !names.contains(name)).collect(Collectors.joining(", "));
        if (!others.isEmpty()) {
            throw invalid(names.get(0) + " goes alone; leave out " + others);
        }
    }

    /** The given value; null = none. */
    String get(String name) {
        List<String> given = values.get(name);
        return given == null || given.isEmpty() ? null : given.get(0);
    }

    /** The value of a parameter that is {@code true} or {@code false}. */
    public boolean flag(String name, boolean otherwise) {
        String value = get(name);
        if (value == null) {
            return otherwise;
        }
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw invalid(name + " must be true or false");
        };
    }

    /**
     * The one topic of the call; empty = all topics. An empty name is refused: it comes from a script whose variable is not
     * set, and must not mean all topics.
     */
    public Optional<String> topic() {
        String topic = get("topic");
        if (topic == null) {
            return Optional.empty();
        }
        if (topic.isEmpty()) {
            throw invalid("topic is empty; leave it out for all topics");
        }
        return Optional.of(FieldRules.name("topic", topic, MessageLimits.MAX_TOPIC));
    }

    /** Refuses all other parameters beside this one, because they would have no effect. */
    public void requireAlone(String name) {
        if (values.size() > 1) {
            String others = values.keySet().stream()
                    .filter(other -> !other.equals(name))
                    .collect(Collectors.joining(", "));
            throw invalid(name + "=true goes alone; leave out " + others);
        }
    }

    private static void decode(String pairs, ParameterNames known, Map<String, List<String>> into) {
        if (pairs.indexOf('#') >= 0) {
            // The decoder would stop there and drop the rest silently.
            throw invalid("# must be written as %23");
        }
        try {
            new QueryStringDecoder(pairs, UTF_8, false, MAX_PARAMETERS, true)
                    .parameters()
                    .forEach((name, values) -> {
                        known.check(name);
                        values.forEach(value -> put(known, name, Utf8.checked("parameter " + name, value), into));
                    });
        } catch (IllegalArgumentException badEscape) {
            throw invalid("malformed percent-encoding");
        }
    }

    private static void put(ParameterNames known, String name, String value, Map<String, List<String>> into) {
        List<String> given = into.computeIfAbsent(name, first -> new ArrayList<>(1));
        if (!given.isEmpty() && !known.repeated().contains(name)) {
            throw invalid(name + " is given twice" + (given.contains(value) ? "" : ", with different values"));
        }
        given.add(value);
    }

    private static String form(String contentType, Buffer body) {
        if (body.length() == 0) {
            return "";
        }
        String text = Utf8.decode(body.getBytes()).toString();
        if (text.isBlank() || text.strip().equals(EMPTY_OBJECT)) {
            return "";
        }
        if (!isForm(contentType, body)) {
            throw invalid("this call reads no body; give its parameters in the URL,"
                    + " or with the content type application/x-www-form-urlencoded");
        }
        return text;
    }

    /**
     * Whether a body is a form; {@code contentType} may be null. A JSON object is none: {@code curl -d} names the content type of a
     * form whatever it sends.
     */
    static boolean isForm(String contentType, Buffer body) {
        return contentType != null
                && contentType.toLowerCase(Locale.ROOT).startsWith("application/x-www-form-urlencoded")
                && !isObject(body);
    }

    static boolean isBlank(Buffer body) {
        return firstVisible(body) < 0;
    }

    private static boolean isObject(Buffer body) {
        int first = firstVisible(body);
        return first >= 0 && body.getByte(first) == '{';
    }

    private static int firstVisible(Buffer body) {
        for (int i = 0; i < body.length(); i++) {
            byte character = body.getByte(i);
            if (character > ' ' || character < 0) {
                return i;
            }
        }
        return -1;
    }
}
