package io.mykit.delay.client;

import io.mykit.delay.client.json.JsonObject;
import java.time.Instant;

/**
 * A topic that has dead letters.
 *
 * @param oldest when the first of them died
 * @param newest when the last of them died
 */
public record DeadTopic(String topic, long count, Instant oldest, Instant newest) {
    static DeadTopic read(JsonObject topic) {
        return new DeadTopic(
                topic.text("topic"),
                topic.integer("count"),
                Instant.ofEpochMilli(topic.integer("oldest")),
                Instant.ofEpochMilli(topic.integer("newest")));
    }
}
