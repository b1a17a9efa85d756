package io.mykit.delay.controller.reply;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.util.Map;

/** An answer that is ready to be written. Immutable. */
public record Reply(int status, CharSequence contentType, Buffer body, Map<String, String> headers) {
    private static final CharSequence JSON = HttpHeaders.createOptimized("application/json; charset=utf-8");

    static Reply json(int status, Buffer body) {
        return new Reply(status, JSON, body, Map.of());
    }

    public Reply with(Map<String, String> moreHeaders) {
        return new Reply(status, contentType, body, moreHeaders);
    }
}
