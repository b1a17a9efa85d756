package io.mykit.delay.client.json;

/** A text is not JSON, or a JSON value has not the expected form. */
public final class JsonException extends RuntimeException {
    public JsonException(String message) {
        super(message);
    }
}
