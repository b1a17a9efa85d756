package io.mykit.delay.queue.store;

import io.mykit.delay.common.message.DelayMessage;

/** The result of comparing a copy of a message, which the index has, with the row of the message. */
public enum CopyState {
    /** The copy is right. */
    CURRENT,
    /** The message has ended. */
    ENDED,
    /** The row has another version. */
    REPLACED,
    /** The row has a later due time: an attempt failed, and its record did not reach the index. */
    LATER;

    /**
     * Compares a copy with its row.
     *
     * @param row null = the store lost the row, by a failover or a restored backup. The producer was told that the message is
     *     accepted, so the copy is right
     */
    public static CopyState of(DelayMessage copy, RowState row) {
        if (row == null) {
            return CURRENT;
        }
        if (!row.status().isUnfinished()) {
            return ENDED;
        }
        if (row.version() != copy.version()) {
            return REPLACED;
        }
        return row.dueTimeMs() > copy.dueTimeMs() ? LATER : CURRENT;
    }
}
