package io.mykit.delay.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.nio.CharBuffer;

/**
 * Walks over one JSON text, token by token, without building a tree; It is always at a token. Strict (RFC 8259), with one
 * leniency: field names may be unquoted identifiers, as the original clients' sample has them, but not inside a value whose
 * source is kept. Strings may hold unpaired surrogates, which the caller has to check.
 *
 * <p>Every method throws {@link JsonSyntaxException} where the text is not JSON. Not thread-safe.
 */
public final class JsonReader implements AutoCloseable {
    private static final int MAX_DEPTH = 500;

    private static final JsonFactory JSON = new JsonFactoryBuilder()
            .enable(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES)
            // Field names come from clients and have no limit in number, so no shared table may keep them.
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            // All other limits follow from the size of the request.
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final char[] text;
    private final JsonParser parser;

    /** A reader at the first token of these bytes. */
    public JsonReader(byte[] bytes) {
        CharBuffer decoded = Utf8.decode(bytes);
        text = decoded.array();
        // The parser gets characters: from bytes it would also accept a byte order mark, UTF-16 and overlong UTF-8.
        parser = read(() -> JSON.createParser(text, 0, decoded.length()));
        next();
    }

    JsonToken next() {
        JsonToken token = read(parser::nextToken);
        if (token == null) {
            throw new JsonSyntaxException("unexpected end", parser.currentLocation());
        }
        return token;
    }

    boolean at(JsonToken token) {
        return parser.currentToken() == token;
    }

    /** Goes to the value of the next field and returns the field's name, or null at the object's end. */
    public String nextField() {
        if (next() == JsonToken.END_OBJECT) {
            return null;
        }
        String name = text();
        next();
        return name;
    }

    /** A string without its escapes, or the unchanged text of a number, name or literal. */
    public String text() {
        return read(parser::getText);
    }

    /** The source text of this value, checked up to its last token. The value is no string. */
    String source() {
        if (!parser.currentToken().isStructStart()) {
            return text();
        }
        int start = (int) parser.currentTokenLocation().getCharOffset();
        parser.configure(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES.mappedFeature(), false);
        read(parser::skipChildren);
        parser.configure(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES.mappedFeature(), true);
        return new String(text, start, (int) parser.currentLocation().getCharOffset() - start);
    }

    /** The number of open objects and arrays. */
    public int depth() {
        return parser.getParsingContext().getNestingDepth();
    }

    /** Skips and checks tokens until at most this number of objects and arrays is open. */
    public void leave(int depth) {
        while (depth() > depth) {
            next();
        }
    }

    /** @throws JsonSyntaxException unless an object begins here */
    public void beginObject() {
        require(JsonToken.START_OBJECT, "an object");
    }

    /** @throws JsonSyntaxException unless an array begins here */
    public void beginArray() {
        require(JsonToken.START_ARRAY, "an array");
    }

    /** Goes to the next item of an array, and returns whether there is one. */
    public boolean nextItem() {
        return next() != JsonToken.END_ARRAY;
    }

    /** Whether the current value is a string. */
    public boolean isString() {
        return at(JsonToken.VALUE_STRING);
    }

    public boolean isNumber() {
        return parser.currentToken().isNumeric();
    }

    public boolean isObject() {
        return at(JsonToken.START_OBJECT);
    }

    public boolean isNull() {
        return at(JsonToken.VALUE_NULL);
    }

    private void require(JsonToken token, String what) {
        if (!at(token)) {
            throw new JsonSyntaxException("expected " + what, parser.currentTokenLocation());
        }
    }

    /** Requires the end of the text. */
    public void end() {
        if (read(parser::nextToken) != null) {
            throw new JsonSyntaxException("expected the end", parser.currentTokenLocation());
        }
    }

    @Override
    public void close() {
        read(() -> {
            parser.close();
            return null;
        });
    }

    private static <T> T read(Step<T> step) {
        try {
            return step.run();
        } catch (IOException malformed) {
            throw JsonSyntaxException.of(malformed, MAX_DEPTH);
        }
    }

    private interface Step<T> {
        T run() throws IOException;
    }
}
