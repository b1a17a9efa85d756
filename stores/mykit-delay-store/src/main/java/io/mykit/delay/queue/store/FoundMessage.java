package io.mykit.delay.queue.store;

import io.mykit.delay.common.message.MessageStatus;

/**
 * A row of the message table without its body and its extras, as a person looks for it. Times are in epoch milliseconds.
 *
 * @param status as the store has it. The store records READY only together with the outcome of an attempt
 * @param dueTimeMs the time of the next attempt
 * @param firstDueMs the due time that the producer asked for: retries do not move it
 * @param attempts the number of failed deliveries so far
 */
public record FoundMessage(
        String id,
        String topic,
        String subtopic,
        String bizKey,
        MessageStatus status,
        long dueTimeMs,
        long firstDueMs,
        long createTimeMs,
        int attempts,
        int priority) {
    /** The same row with the status that its message has now. */
    public FoundMessage withStatus(MessageStatus now) {
        return new FoundMessage(
                id, topic, subtopic, bizKey, now, dueTimeMs, firstDueMs, createTimeMs, attempts, priority);
    }

    public RowCursor cursor() {
        return new RowCursor(dueTimeMs, id);
    }
}
