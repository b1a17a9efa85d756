package io.mykit.delay.client.json;

import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Writes maps, lists, strings, numbers, booleans and nulls as JSON. Not thread-safe. */
public final class JsonWriter {
    private static final String HEX = "0123456789abcdef";

    private final StringBuilder out = new StringBuilder();

    private JsonWriter() {}

    /** @throws IllegalArgumentException if a value has no JSON */
    public static String write(Object value) {
        JsonWriter writer = new JsonWriter();
        writer.value(value);
        return writer.out.toString();
    }

    private void value(Object value) {
        if (value instanceof String text) {
            string(text);
        } else if (value instanceof Map<?, ?> fields) {
            object(fields);
        } else if (value instanceof List<?> items) {
            array(items);
        } else if (value instanceof Double number && !Double.isFinite(number)) {
            throw new IllegalArgumentException("JSON has no " + number);
        } else if (value == null || value instanceof Boolean || value instanceof Number) {
            out.append(value);
        } else {
            throw new IllegalArgumentException("JSON has no " + value.getClass().getName());
        }
    }

    private void object(Map<?, ?> fields) {
        out.append('{');
        for (Iterator<? extends Map.Entry<?, ?>> all = fields.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<?, ?> field = all.next();
            string((String) field.getKey());
            out.append(':');
            value(field.getValue());
            if (all.hasNext()) {
                out.append(',');
            }
        }
        out.append('}');
    }

    private void array(List<?> items) {
        out.append('[');
        for (Iterator<?> all = items.iterator(); all.hasNext(); ) {
            value(all.next());
            if (all.hasNext()) {
                out.append(',');
            }
        }
        out.append(']');
    }

    private void string(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    // A surrogate without its other half has no UTF-8. As an escape it reaches the server, which
                    // refuses it.
                    if (c < ' ' || isUnpaired(text, i)) {
                        unit(c);
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    private static boolean isUnpaired(String text, int i) {
        char c = text.charAt(i);
        if (Character.isHighSurrogate(c)) {
            return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
        }
        return Character.isLowSurrogate(c) && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
    }

    private void unit(char c) {
        out.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            out.append(HEX.charAt(c >> shift & 15));
        }
    }
}
