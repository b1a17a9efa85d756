package io.mykit.delay.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.client.json.JsonException;
import io.mykit.delay.client.json.JsonObject;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The content of a message, as its producer gave it, or its result: a text or bytes. Immutable. */
public final class Body {
    private final String text;
    private final byte[] bytes;

    private Body(String text, byte[] bytes) {
        this.text = text;
        this.bytes = bytes;
    }

    /** A text. */
    public static Body of(String text) {
        return new Body(Objects.requireNonNull(text, "text"), null);
    }

    /** Bytes. */
    public static Body of(byte[] bytes) {
        return new Body(null, bytes.clone());
    }

    /** The body of a message. */
    static Body read(JsonObject message) {
        return read(message, "body").orElseGet(() -> of(""));
    }

    /** The result of a message; empty = none. */
    static Optional<Body> result(JsonObject message) {
        return read(message, "result");
    }

    private static Optional<Body> read(JsonObject message, String field) {
        String ofBytes = field + "Base64";
        return message.optionalText(ofBytes)
                .map(base64 -> new Body(null, decoded(ofBytes, base64)))
                .or(() -> message.optionalText(field).map(Body::of));
    }

    private static byte[] decoded(String field, String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new JsonException(field + " is no Base64");
        }
    }

    /** The field of a call with this result, as {@link #read} finds it. */
    Map<String, Object> asResult() {
        return isBinary() ? Map.of("resultBase64", Base64.getEncoder().encodeToString(bytes)) : Map.of("result", text);
    }

    /** Whether it was given as bytes. */
    public boolean isBinary() {
        return bytes != null;
    }

    /** The text; bytes are read as UTF-8. */
    public String text() {
        return isBinary() ? new String(bytes, UTF_8) : text;
    }

    /** The bytes; a text as UTF-8. */
    public byte[] bytes() {
        return isBinary() ? bytes.clone() : text.getBytes(UTF_8);
    }

    /** Says how long it is and shows nothing of it: bodies do not belong into logs. */
    @Override
    public String toString() {
        return isBinary() ? bytes.length + " bytes" : text.length() + " characters";
    }
}
