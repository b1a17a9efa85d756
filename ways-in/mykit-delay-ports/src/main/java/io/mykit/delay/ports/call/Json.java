package io.mykit.delay.ports.call;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes a JSON object, field by field. For one thread. */
public final class Json {
    private final StringBuilder text = new StringBuilder("{");

    private Json() {}

    public static Json object() {
        return new Json();
    }

    public Json text(String name, String value) {
        return raw(name, quoted(value));
    }

    public Json number(String name, long value) {
        return raw(name, Long.toString(value));
    }

    /** A value that is JSON already. */
    public Json raw(String name, String json) {
        if (text.length() > 1) {
            text.append(',');
        }
        text.append(quoted(name)).append(':').append(json);
        return this;
    }

    public String end() {
        return text.append('}').toString();
    }

    /** An array of strings. */
    public static String array(List<String> texts) {
        return "[" + String.join(",", texts.stream().map(Json::quoted).toList()) + "]";
    }

    /** An object of strings, in the order of the map. */
    public static String map(Map<String, String> texts) {
        Json json = object();
        texts.forEach(json::text);
        return json.end();
    }

    public static String quoted(String value) {
        StringBuilder quoted = new StringBuilder(value.length() + 2).append('"');
        for (int i = 0; i < value.length(); i++) {
            char at = value.charAt(i);
            if (at == '"' || at == '\\') {
                quoted.append('\\').append(at);
            } else if (at < ' ' || Character.isSurrogate(at)) {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) at));
            } else {
                quoted.append(at);
            }
        }
        return quoted.append('"').toString();
    }
}
