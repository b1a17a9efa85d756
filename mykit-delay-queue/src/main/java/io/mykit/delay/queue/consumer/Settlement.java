package io.mykit.delay.queue.consumer;

import io.mykit.delay.common.message.MessageResult;
import java.time.Duration;

/**
 * One message that a consumer settles.
 *
 * @param receipt null = by the id alone; only an ack may have none
 * @param delay how long the message waits after a nack or a release; null = the gap of its policy, or not at all
 * @param ttr how long an extended hold lasts from now; null = {@code pull.ttr}
 * @param detail the consumer's reason, for a person; may be empty
 * @param result of an ack; null = none
 */
public record Settlement(String id, String receipt, Duration delay, Duration ttr, String detail, MessageResult result) {
    /** A settlement without a result. */
    public Settlement(String id, String receipt, Duration delay, Duration ttr, String detail) {
        this(id, receipt, delay, ttr, detail, null);
    }
}
