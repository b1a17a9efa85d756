package io.mykit.delay.controller;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.util.Map;

/** An answer, ready to be written. */
record Reply(int status, CharSequence contentType, Buffer body, Map<String, String> headers) {
    static final CharSequence JSON = HttpHeaders.createOptimized("application/json; charset=utf-8");

    static Reply json(int status, byte[] body) {
        return new Reply(status, JSON, Buffer.buffer(body), Map.of());
    }

    Reply with(Map<String, String> moreHeaders) {
        return new Reply(status, contentType, body, moreHeaders);
    }
}
