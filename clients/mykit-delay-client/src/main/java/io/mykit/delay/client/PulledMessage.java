package io.mykit.delay.client;

import io.mykit.delay.client.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A message that this consumer holds under a lease. It ends with one of {@code ack}, {@code nack}, {@code release} and
 * {@code bury}. If none comes before the lease ends, the attempt counts as failed.
 *
 * @param dueTime the due time that the producer asked for
 * @param attempt the number of this attempt; a duplicate after a fault has the same number
 * @param deliveries how often the message was handed out, this time included: also those times that ended by a release, which {@code attempt}
 *     does not count. A server of an older version does not tell: then it is {@code attempt}
 * @param maxAttempts the attempts that the policy allows; 0 = no limit
 */
public record PulledMessage(
        String id,
        String topic,
        String subtopic,
        String bizKey,
        Body body,
        Map<String, String> headers,
        Instant createTime,
        Instant dueTime,
        int priority,
        int attempt,
        int deliveries,
        int maxAttempts,
        Lease lease) {

    static PulledMessage read(JsonObject message, Optional<Duration> ttr) {
        return new PulledMessage(
                message.text("id"),
                message.text("topic"),
                message.optionalText("subtopic").orElse(""),
                message.optionalText("bizKey").orElse(""),
                Body.read(message),
                message.texts("headers"),
                Instant.ofEpochMilli(message.integer("createTime")),
                Instant.ofEpochMilli(message.integer("dueTime")),
                message.optionalInteger("priority").orElse(0L).intValue(),
                (int) message.integer("attempt"),
                message.optionalInteger("deliveries")
                        .orElseGet(() -> message.integer("attempt"))
                        .intValue(),
                message.optionalInteger("maxAttempts").orElse(0L).intValue(),
                new Lease(message.text("receipt"), Instant.ofEpochMilli(message.integer("leaseUntil")), ttr));
    }

    /** The body as a text. */
    public String text() {
        return body.text();
    }

    /** Whether the message may be in other hands, see {@link Lease#isLost}. A long handler looks at it between its steps. */
    public boolean isLeaseLost() {
        return lease.isLost();
    }
}
