package io.mykit.delay.client;

import io.mykit.delay.client.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A message as the server knows it.
 *
 * @param dueTime the due time that the producer asked for
 * @param nextAttempt the time of the next attempt, if a retry has moved it
 * @param ttl zero = for ever
 * @param attempts the failed deliveries so far
 * @param result of the message, if it finished with one
 * @param flow the moves of its status, the oldest first
 * @param isFlowComplete whether these are all moves
 * @param channel the name of the channel by which the message is delivered; empty = the server is too old to tell
 * @param bucket of Redis, in which the message waits; empty = the server does not tell
 * @param requestId the {@code x-request-id} of the push, if it had one
 */
public record MessageView(
        String id,
        String topic,
        String subtopic,
        String bizKey,
        Body body,
        Map<String, String> headers,
        Map<String, String> target,
        Instant createTime,
        Instant dueTime,
        Optional<Instant> nextAttempt,
        int priority,
        Duration ttl,
        MessageStatus status,
        int attempts,
        Optional<Body> result,
        List<Move> flow,
        boolean isFlowComplete,
        Optional<String> channel,
        OptionalInt bucket,
        Optional<String> requestId) {

    /**
     * One move of a message's status.
     *
     * @param from empty = the message was new
     */
    public record Move(Optional<MessageStatus> from, MessageStatus to, Instant time, int attempt, String detail) {}

    static MessageView read(JsonObject message) {
        return new MessageView(
                message.text("id"),
                message.text("topic"),
                message.optionalText("subtopic").orElse(""),
                message.optionalText("bizKey").orElse(""),
                Body.read(message),
                message.texts("headers"),
                message.texts("target"),
                Instant.ofEpochMilli(message.integer("createTime")),
                Instant.ofEpochMilli(message.integer("dueTime")),
                message.optionalInteger("nextAttempt").map(Instant::ofEpochMilli),
                message.optionalInteger("priority").orElse(0L).intValue(),
                Duration.ofSeconds(message.optionalInteger("ttl").orElse(0L)),
                MessageStatus.named(message.text("statusName")),
                message.optionalInteger("attempts").orElse(0L).intValue(),
                Body.result(message),
                JsonObject.list(message.get("flow")).stream()
                        .map(JsonObject::of)
                        .map(MessageView::move)
                        .toList(),
                message.flag("flowComplete"),
                message.optionalText("channel"),
                bucket(message),
                message.optionalText("requestId"));
    }

    static OptionalInt bucket(JsonObject message) {
        return message.optionalInteger("bucket").stream()
                .mapToInt(Long::intValue)
                .findFirst();
    }

    private static Move move(JsonObject move) {
        return new Move(
                move.optionalText("fromName").map(MessageStatus::named),
                MessageStatus.named(move.text("toName")),
                Instant.ofEpochMilli(move.integer("time")),
                move.optionalInteger("attempt").orElse(0L).intValue(),
                move.optionalText("detail").orElse(""));
    }
}
