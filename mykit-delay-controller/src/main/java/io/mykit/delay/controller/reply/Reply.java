package io.mykit.delay.controller.reply;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.util.Map;

/**
 * An answer that is ready to be written. Immutable.
 *
 * @param unsent runs if the answer could not be written, because its client has gone or too many answers are unread; null =
 *     the answer has nothing to take back. Any thread may run it, and it must not block
 */
public record Reply(int status, CharSequence contentType, Buffer body, Map<String, String> headers, Runnable unsent) {
    public Reply(int status, CharSequence contentType, Buffer body, Map<String, String> headers) {
        this(status, contentType, body, headers, null);
    }

    private static final CharSequence JSON = HttpHeaders.createOptimized("application/json; charset=utf-8");

    static Reply json(int status, Buffer body) {
        return new Reply(status, JSON, body, Map.of());
    }

    public Reply with(Map<String, String> moreHeaders) {
        return new Reply(status, contentType, body, moreHeaders, unsent);
    }

    public Reply withoutBody() {
        return new Reply(status, contentType, Buffer.buffer(), headers, unsent);
    }

    /** The same answer; the task takes back what is in it. */
    public Reply ifUnsent(Runnable task) {
        return new Reply(status, contentType, body, headers, task);
    }

    /** The answer was not written. */
    public void takeBack() {
        if (unsent != null) {
            unsent.run();
        }
    }
}
