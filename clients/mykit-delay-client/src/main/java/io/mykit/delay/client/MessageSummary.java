package io.mykit.delay.client;

import io.mykit.delay.client.json.JsonObject;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A message without its body; {@link DelayClient#find} has the body.
 *
 * @param status in the database: a message that is due and not yet delivered is still in DELAY
 * @param dueTime the due time that the producer asked for
 * @param nextAttempt the time of the next attempt, if a retry has moved it
 * @param attempts the failed deliveries so far
 * @param channel see {@link MessageView}
 * @param bucket see {@link MessageView}
 * @param requestId see {@link MessageView}
 */
public record MessageSummary(
        String id,
        String topic,
        String subtopic,
        String bizKey,
        MessageStatus status,
        Instant createTime,
        Instant dueTime,
        Optional<Instant> nextAttempt,
        int attempts,
        int priority,
        Optional<String> channel,
        OptionalInt bucket,
        Optional<String> requestId) {
    static MessageSummary read(JsonObject message) {
        return new MessageSummary(
                message.text("id"),
                message.text("topic"),
                message.optionalText("subtopic").orElse(""),
                message.optionalText("bizKey").orElse(""),
                MessageStatus.named(message.text("status")),
                Instant.ofEpochMilli(message.integer("createTime")),
                Instant.ofEpochMilli(message.integer("dueTime")),
                message.optionalInteger("nextAttempt").map(Instant::ofEpochMilli),
                (int) message.integer("attempts"),
                (int) message.integer("priority"),
                message.optionalText("channel"),
                MessageView.bucket(message),
                message.optionalText("requestId"));
    }
}
