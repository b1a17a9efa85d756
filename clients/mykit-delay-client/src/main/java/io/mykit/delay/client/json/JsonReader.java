package io.mykit.delay.client.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads one JSON text (RFC 8259) into maps, lists, strings, numbers, booleans and nulls. An integer is a {@link Long} if it
 * fits, any other number is a {@link Double}. Of two fields with the same name the later one counts. Not thread-safe.
 */
public final class JsonReader {
    /** An answer of the server has five levels. The bound keeps a hostile text from using up the stack. */
    static final int MAX_DEPTH = 100;

    private final String text;
    private int at;

    private JsonReader(String text) {
        this.text = text;
    }

    /**
     * @param bytes UTF-8
     * @throws JsonException if they are not one JSON text
     */
    public static Object read(byte[] bytes) {
        try {
            return read(UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
        } catch (CharacterCodingException e) {
            throw new JsonException("not UTF-8");
        }
    }

    /** @throws JsonException if it is not one JSON text */
    public static Object read(String text) {
        JsonReader reader = new JsonReader(text);
        Object value = reader.value(0);
        if (reader.peek() != END) {
            throw reader.unexpected();
        }
        return value;
    }

    /** In place of a character after the last one. */
    private static final int END = -1;

    private Object value(int depth) {
        if (depth > MAX_DEPTH) {
            throw new JsonException("deeper than " + MAX_DEPTH + " levels");
        }
        return switch (peek()) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> string();
            case 't' -> literal("true", true);
            case 'f' -> literal("false", false);
            case 'n' -> literal("null", null);
            default -> number();
        };
    }

    private Map<String, Object> object(int depth) {
        Map<String, Object> fields = new LinkedHashMap<>();
        at++;
        if (!skip('}')) {
            do {
                if (peek() != '"') {
                    throw unexpected();
                }
                String name = string();
                require(':');
                fields.put(name, value(depth + 1));
            } while (skip(','));
            require('}');
        }
        return fields;
    }

    private List<Object> array(int depth) {
        List<Object> items = new ArrayList<>();
        at++;
        if (!skip(']')) {
            do {
                items.add(value(depth + 1));
            } while (skip(','));
            require(']');
        }
        return items;
    }

    private String string() {
        int begin = ++at;
        StringBuilder unescaped = null;
        while (true) {
            int c = current();
            if (c == '"') {
                String tail = text.substring(begin, at++);
                return unescaped == null ? tail : unescaped.append(tail).toString();
            }
            if (c < ' ') {
                throw unexpected();
            }
            if (c == '\\') {
                unescaped = (unescaped == null ? new StringBuilder() : unescaped).append(text, begin, at);
                at++;
                unescaped.append(escaped());
                begin = at;
            } else {
                at++;
            }
        }
    }

    private char escaped() {
        int c = current();
        at++;
        return switch (c) {
            case '"', '\\', '/' -> (char) c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unit();
            default -> {
                at--;
                throw unexpected();
            }
        };
    }

    /** Four hexadecimal digits. */
    private char unit() {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            int c = current();
            int digit = c < 128 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                throw unexpected();
            }
            value = value << 4 | digit;
            at++;
        }
        return (char) value;
    }

    private Object number() {
        int begin = at;
        if (current() == '-') {
            at++;
        }
        if (current() == '0') {
            at++;
        } else {
            digits();
        }
        boolean integer = true;
        if (current() == '.') {
            integer = false;
            at++;
            digits();
        }
        if (current() == 'e' || current() == 'E') {
            integer = false;
            at++;
            if (current() == '+' || current() == '-') {
                at++;
            }
            digits();
        }
        String number = text.substring(begin, at);
        if (integer) {
            try {
                return Long.valueOf(number);
            } catch (NumberFormatException tooLong) {
                return Double.valueOf(number);
            }
        }
        return Double.valueOf(number);
    }

    private void digits() {
        int begin = at;
        while (current() >= '0' && current() <= '9') {
            at++;
        }
        if (at == begin) {
            throw unexpected();
        }
    }

    private Object literal(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw unexpected();
        }
        at += word.length();
        return value;
    }

    private void require(char expected) {
        if (!skip(expected)) {
            throw unexpected();
        }
    }

    private boolean skip(char expected) {
        boolean found = peek() == expected;
        if (found) {
            at++;
        }
        return found;
    }

    /** The next character that is no white space, which stays unread. */
    private int peek() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return current();
    }

    private int current() {
        return at < text.length() ? text.charAt(at) : END;
    }

    private JsonException unexpected() {
        return new JsonException(at < text.length() ? "unexpected character at " + at : "unexpected end");
    }
}
