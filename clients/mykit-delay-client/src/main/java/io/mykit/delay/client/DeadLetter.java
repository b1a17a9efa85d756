package io.mykit.delay.client;

import io.mykit.delay.client.json.JsonObject;
import java.time.Instant;

/**
 * A dead letter without its body; {@link DelayClient#find} has the body.
 *
 * @param attempts the failed deliveries
 * @param reason {@code ATTEMPTS}, {@code REFUSED} or {@code BURIED}
 * @param detail the last failure
 * @param deadTime when the message became a dead letter
 */
public record DeadLetter(
        String id,
        String topic,
        String bizKey,
        int attempts,
        String reason,
        String detail,
        Instant dueTime,
        Instant deadTime) {

    static DeadLetter read(JsonObject letter) {
        return new DeadLetter(
                letter.text("id"),
                letter.text("topic"),
                letter.optionalText("bizKey").orElse(""),
                (int) letter.integer("attempts"),
                letter.text("reason"),
                letter.optionalText("detail").orElse(""),
                Instant.ofEpochMilli(letter.integer("dueTime")),
                Instant.ofEpochMilli(letter.integer("deadTime")));
    }
}
