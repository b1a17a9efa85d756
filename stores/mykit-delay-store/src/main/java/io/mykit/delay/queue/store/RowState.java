package io.mykit.delay.queue.store;

import io.mykit.delay.common.message.MessageRef;
import io.mykit.delay.common.message.MessageStatus;

/**
 * The light part of a row of the message table: all that a decision about the row needs, without the body. The producer's creation time
 * is not among it, because a producer may send any. Times are in epoch milliseconds.
 *
 * @param insertedMs when a node inserted the row, by its clock; 0 = the row does not tell
 * @param updateTimeMs the time of the last change
 */
public record RowState(
        String id,
        int version,
        MessageStatus status,
        long dueTimeMs,
        long insertedMs,
        int attempts,
        long updateTimeMs) {
    public MessageRef ref() {
        return new MessageRef(id, version);
    }
}
