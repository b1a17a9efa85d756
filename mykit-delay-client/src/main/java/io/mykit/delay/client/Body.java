package io.mykit.delay.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.client.json.JsonException;
import io.mykit.delay.client.json.JsonObject;
import java.util.Base64;

/** The content of a message: a text or bytes, as the producer gave it. Immutable. */
public final class Body {
    private final String text;
    private final byte[] bytes;

    private Body(String text, byte[] bytes) {
        this.text = text;
        this.bytes = bytes;
    }

    static Body read(JsonObject message) {
        return message.optionalText("bodyBase64")
                .map(base64 -> new Body(null, decoded(base64)))
                .orElseGet(() -> new Body(message.optionalText("body").orElse(""), null));
    }

    private static byte[] decoded(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new JsonException("bodyBase64 is no Base64");
        }
    }

    /** Whether the producer gave bytes. */
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
