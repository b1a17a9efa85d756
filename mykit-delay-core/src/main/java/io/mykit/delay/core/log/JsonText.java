package io.mykit.delay.core.log;

import java.nio.charset.StandardCharsets;

/** Builds one JSON object with bounded values. For one thread. */
final class JsonText {
    private static final String ELLIPSIS = "...";
    private static final String HEX = "0123456789abcdef";

    private final StringBuilder text = new StringBuilder(512).append('{');
    private boolean cut;

    /**
     * Adds a text.
     *
     * @param maxBytes the maximum of bytes that its value takes, escaped
     */
    JsonText add(String name, String value, int maxBytes) {
        name(name).append('"');
        int room = maxBytes - ELLIPSIS.length();
        for (int i = 0; i < value.length(); ) {
            int point = value.codePointAt(i);
            room -= bytes(point);
            if (room < 0) {
                text.append(ELLIPSIS);
                cut = true;
                break;
            }
            append(point);
            i += Character.charCount(point);
        }
        text.append('"');
        return this;
    }

    JsonText add(String name, long value) {
        name(name).append(value);
        return this;
    }

    /** Adds a number, a truth value or a text. */
    JsonText addAny(String name, Object value, int maxBytes) {
        if (value instanceof Integer || value instanceof Long || value instanceof Boolean) {
            name(name).append(value);
            return this;
        }
        if (value instanceof Double number && Double.isFinite(number)) {
            name(name).append(value);
            return this;
        }
        return add(name, String.valueOf(value), maxBytes);
    }

    /** The object as one line. */
    byte[] line() {
        if (cut) {
            name("cut").append(true);
        }
        return text.append("}\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    private StringBuilder name(String name) {
        if (text.length() > 1) {
            text.append(',');
        }
        return text.append('"').append(name).append("\":");
    }

    private void append(int point) {
        switch (point) {
            case '"' -> text.append("\\\"");
            case '\\' -> text.append("\\\\");
            case '\n' -> text.append("\\n");
            case '\r' -> text.append("\\r");
            case '\t' -> text.append("\\t");
            default -> {
                if (isEscaped(point)) {
                    text.append("\\u");
                    for (int shift = 12; shift >= 0; shift -= 4) {
                        text.append(HEX.charAt(point >> shift & 15));
                    }
                } else {
                    text.appendCodePoint(point);
                }
            }
        }
    }

    private static int bytes(int point) {
        if (isEscaped(point)) {
            return 6;
        }
        if (point < 0x80) {
            return point == '"' || point == '\\' ? 2 : 1;
        }
        return point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    }

    /** Control characters, the line ends of Unicode, and surrogates without a partner, which have no UTF-8. */
    private static boolean isEscaped(int point) {
        return point < 0x20
                || (point >= 0x7f && point < 0xa0)
                || point == 0x2028
                || point == 0x2029
                || (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
    }
}
