package io.mykit.delay.queue.store;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;

/**
 * A row of the message table.
 *
 * @param attempts the number of failed deliveries so far
 * @param updateTimeMs epoch milliseconds of the last change
 */
public record StoredMessage(DelayMessage message, MessageStatus status, int attempts, long updateTimeMs) {
    /** The light part of the row, without the time of its insertion. */
    public RowState state() {
        return new RowState(message.id(), message.version(), status, message.dueTimeMs(), 0, attempts, updateTimeMs);
    }

    /** True if the message belongs into the index. A message in RESTORE does not yet: the loader schedules it. */
    public boolean isForIndex() {
        return status == MessageStatus.DELAY || status == MessageStatus.READY;
    }

    /** The same row with another body. */
    public StoredMessage withBody(String body) {
        return new StoredMessage(message.withBody(body), status, attempts, updateTimeMs);
    }
}
