package io.mykit.delay.controller.json;

import java.util.BitSet;

/**
 * Walks over one JSON text, value by value, without building a tree. Strict (RFC 8259), with one leniency: names of the
 * fields that the caller walks over itself may be unquoted identifiers, as the original clients' sample has them.
 *
 * <p>Every method throws {@link JsonSyntaxException} where the text is not JSON. Not thread-safe.
 */
public final class JsonReader {
    /** What kind of value comes next. */
    public enum Kind {
        OBJECT,
        ARRAY,
        STRING,
        NUMBER,
        BOOLEAN,
        NULL
    }

    private static final int MAX_DEPTH = 512;

    private final JsonTokens tokens;

    public JsonReader(String text) {
        this.tokens = new JsonTokens(text);
    }

    /** The kind of the next value. */
    public Kind peek() {
        return tokens.peek();
    }

    /** Where the next value begins, for {@link #goTo}. */
    public int position() {
        return tokens.at;
    }

    /** Goes back to a {@link #position()}. */
    public void goTo(int position) {
        tokens.at = position;
    }

    public void beginObject() {
        tokens.take('{', "an object");
    }

    public void beginArray() {
        tokens.take('[', "an array");
    }

    /**
     * The next field's name, after which its value has to be read, or null at the object's end, which is then passed.
     *
     * @param first whether no field of this object was read yet
     */
    public String nextName(boolean first) {
        if (tokens.skipIf('}')) {
            return null;
        }
        if (!first) {
            tokens.take(',', "',' or '}'");
        }
        return name(true);
    }

    /** Whether the array has another element; if not, its end is passed. */
    public boolean nextElement(boolean first) {
        if (tokens.skipIf(']')) {
            return false;
        }
        if (!first) {
            tokens.take(',', "',' or ']'");
        }
        return true;
    }

    /** A string, unescaped. Surrogates may be unpaired: the caller has to look. */
    public String string() {
        return tokens.string();
    }

    public boolean bool() {
        return tokens.bool();
    }

    public void nullValue() {
        tokens.nullValue();
    }

    /** A number's text as it stands there. */
    public String number() {
        return tokens.number();
    }

    /** The source text of the next value, whatever it is, checked and passed. */
    public String source() {
        int start = tokens.at;
        return tokens.text.substring(start, skip(false));
    }

    /** Passes the next value, checked; unquoted names are let through. */
    public void skipValue() {
        skip(true);
    }

    /** Nothing may follow. */
    public void end() {
        if (tokens.at < tokens.text.length()) {
            throw tokens.expected("the end");
        }
    }

    /** Iterative, so that depth costs bits and not stack. Returns the offset behind the value, before any space. */
    private int skip(boolean unquotedNames) {
        BitSet objects = new BitSet();
        int depth = 0;
        while (true) {
            Kind kind = peek();
            if (kind == Kind.OBJECT || kind == Kind.ARRAY) {
                boolean object = kind == Kind.OBJECT;
                if (depth == MAX_DEPTH) {
                    throw new JsonSyntaxException("nested deeper than " + MAX_DEPTH, tokens.at);
                }
                objects.set(depth++, object);
                tokens.open();
                if (!tokens.closes(object)) {
                    if (object) {
                        name(unquotedNames);
                    }
                    continue;
                }
            } else {
                scalar(kind);
            }
            int end = tokens.lastEnd();
            while (depth > 0 && tokens.closes(objects.get(depth - 1))) {
                end = tokens.close();
                depth--;
            }
            if (depth == 0) {
                return end;
            }
            boolean object = objects.get(depth - 1);
            tokens.take(',', object ? "',' or '}'" : "',' or ']'");
            if (object) {
                name(unquotedNames);
            }
        }
    }

    private void scalar(Kind kind) {
        switch (kind) {
            case STRING -> tokens.string();
            case NUMBER -> tokens.number();
            case BOOLEAN -> tokens.bool();
            default -> tokens.nullValue();
        }
    }

    private String name(boolean unquoted) {
        String name = unquoted && !tokens.startsString() ? tokens.identifier() : tokens.string();
        tokens.take(':', "':'");
        return name;
    }
}
