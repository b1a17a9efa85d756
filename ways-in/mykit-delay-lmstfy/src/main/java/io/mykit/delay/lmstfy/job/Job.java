package io.mykit.delay.lmstfy.job;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.ports.call.Json;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A job as lmstfy shows it.
 *
 * @param id the one that clients know
 * @param dead whether it is a dead letter: these have no ttl
 */
public record Job(String namespace, String queue, String id, DelayMessage message, boolean dead) {
    private static final long SECOND_MS = 1000;

    /** A job for its consumer. */
    public String consumed(int remainTries, long nowMs) {
        Json json = Json.object().text("msg", "new job");
        return fields(json, remainTries, nowMs);
    }

    /** A job that stays where it is. */
    public String peeked(int remainTries, long nowMs) {
        return fields(Json.object(), remainTries, nowMs);
    }

    private String fields(Json json, int remainTries, long nowMs) {
        boolean over = !dead && message.isExpired(nowMs);
        return json.text("namespace", namespace)
                .text("queue", queue)
                .text("job_id", id)
                .raw("data", over ? "null" : Json.quoted(data()))
                .number("ttl", over ? 0 : ttl(nowMs))
                .number("elapsed_ms", Math.max(0, nowMs - message.createTimeMs()))
                .number("remain_tries", over ? 0 : remainTries)
                .raw("attributes", Attributes.json(message.extras().headers()))
                .end();
    }

    /** The seconds that are left, rounded; 0 = for ever. A job that is not over has one at least. */
    private long ttl(long nowMs) {
        if (dead || message.ttlSeconds() == 0) {
            return 0;
        }
        long endMs = message.firstDueMs() + message.ttlSeconds() * SECOND_MS;
        return Math.max(1, (endMs - nowMs + SECOND_MS / 2) / SECOND_MS);
    }

    private String data() {
        return message.extras().binary()
                ? message.body()
                : Base64.getEncoder().encodeToString(message.body().getBytes(StandardCharsets.UTF_8));
    }
}
