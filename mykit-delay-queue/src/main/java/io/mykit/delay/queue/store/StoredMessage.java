package io.mykit.delay.queue.store;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;

/**
 * A row of the message table.
 *
 * @param attempts deliveries that failed so far
 * @param updateTimeMs epoch milliseconds of the last change
 */
public record StoredMessage(DelayMessage message, MessageStatus status, int attempts, long updateTimeMs) {
    /** The light part. */
    public RowState state() {
        return new RowState(
                message.id(),
                message.version(),
                status,
                message.dueTimeMs(),
                message.createTimeMs(),
                attempts,
                updateTimeMs);
    }

    /** Whether the message belongs into the index. A RESTORE is on its way there, and the loader brings it. */
    public boolean isForIndex() {
        return status == MessageStatus.DELAY || status == MessageStatus.READY;
    }

    /** The same row with another body. */
    public StoredMessage withBody(String body) {
        return new StoredMessage(message.withBody(body), status, attempts, updateTimeMs);
    }
}
