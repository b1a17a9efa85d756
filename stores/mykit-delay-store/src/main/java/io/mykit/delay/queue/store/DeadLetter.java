package io.mykit.delay.queue.store;

import io.mykit.delay.common.message.DeadReason;

/**
 * A dead letter without its body. Times are in epoch milliseconds.
 *
 * @param attempts the number of failed deliveries
 * @param detail the last failure, for a person
 * @param dueTimeMs the due time that the producer asked for
 * @param deadTimeMs when the message became a dead letter
 */
public record DeadLetter(
        String id,
        String topic,
        String bizKey,
        int attempts,
        DeadReason reason,
        String detail,
        long dueTimeMs,
        long deadTimeMs) {
    /** The cursor with which the next page begins after this dead letter. */
    public DeadCursor cursor() {
        return new DeadCursor(deadTimeMs, id);
    }
}
