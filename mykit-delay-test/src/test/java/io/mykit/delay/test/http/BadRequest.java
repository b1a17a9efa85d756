package io.mykit.delay.test.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;

/**
 * A request that is to be refused.
 *
 * @param message the exact text of the answer
 */
record BadRequest(
        String name, String method, String path, BodyPublisher body, int status, String error, String message) {
    static BadRequest push(String body, String message) {
        return push(body, body.getBytes(UTF_8), message);
    }

    static BadRequest push(String name, byte[] body, String message) {
        return new BadRequest(name, "POST", "/push", BodyPublishers.ofByteArray(body), 400, "INVALID_REQUEST", message);
    }

    /** A push of one field and the topic. */
    static BadRequest field(String field, String value, String message) {
        return push("{\"topic\":\"t\",\"id\":\"bad\",\"" + field + "\":" + value + "}", message);
    }

    static BadRequest malformed(String body, String message) {
        return push(body, "malformed JSON: " + message);
    }

    static BadRequest batch(String name, String body, String message) {
        return batch(name, body, 400, "INVALID_REQUEST", message);
    }

    static BadRequest batch(String name, String body, int status, String error, String message) {
        return new BadRequest(name, "POST", "/push/batch", BodyPublishers.ofString(body), status, error, message);
    }

    static BadRequest call(String method, String path, String message) {
        return call(method, path, 400, "INVALID_REQUEST", message);
    }

    static BadRequest call(String method, String path, int status, String error, String message) {
        return new BadRequest(method + " " + path, method, path, BodyPublishers.noBody(), status, error, message);
    }

    @Override
    public String toString() {
        return name.length() <= 100 ? name : name.substring(0, 100) + "... (" + name.length() + ")";
    }
}
