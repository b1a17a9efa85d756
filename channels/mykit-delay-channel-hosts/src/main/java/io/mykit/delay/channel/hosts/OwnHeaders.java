package io.mykit.delay.channel.hosts;

import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.common.message.DelayMessage;
import java.util.Map;

/** The headers {@code mykit-delay-*}, which tell a receiver of the message. Stateless. */
public final class OwnHeaders {
    private OwnHeaders() {}

    /** Adds them. A field that is empty has no header. */
    public static void put(Map<String, String> headers, Outgoing outgoing) {
        DelayMessage message = outgoing.message();
        putOne(headers, "id", message.id());
        putOne(headers, "topic", message.topic());
        putOne(headers, "subtopic", message.subtopic());
        putOne(headers, "biz-key", message.bizKey());
        putOne(headers, "due-time", Long.toString(message.firstDueMs()));
        putOne(headers, "attempt", Integer.toString(outgoing.attempt()));
        putOne(headers, "max-attempts", outgoing.maxAttempts() == 0 ? "" : Integer.toString(outgoing.maxAttempts()));
    }

    private static void putOne(Map<String, String> headers, String name, String value) {
        if (!value.isEmpty()) {
            headers.put("mykit-delay-" + name, HeaderText.encoded(value));
        }
    }
}
