package io.mykit.delay.queue.store;

import io.mykit.delay.common.message.MessageRef;
import io.mykit.delay.common.message.MessageStatus;

/**
 * The light part of a row of the message table: all that a decision about the row needs, without the body. Times are
 * in epoch milliseconds; {@code updateTimeMs} is the time of the last change.
 */
public record RowState(
        String id,
        int version,
        MessageStatus status,
        long dueTimeMs,
        long createTimeMs,
        int attempts,
        long updateTimeMs) {
    public MessageRef ref() {
        return new MessageRef(id, version);
    }
}
