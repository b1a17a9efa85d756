package io.mykit.delay.queue.bucket;

import io.mykit.delay.common.message.MessageStatus;

/** The place of a message in the index. */
public enum Location {
    /** In a waiting set of the bucket: the due time has not come. A held message is there too, and counts as taken. */
    WAITING,
    /** In a ready list: due, and not taken yet. */
    READY,
    /** Under a lease of the leader, which delivers it, or under a hold of a consumer that pulled it. */
    TAKEN,
    /** Delivered; the outcome is not in the store yet. */
    PARKED;

    /**
     * The status of an unfinished message now. The store records READY only together with the outcome of the delivery, but the index
     * knows it at once.
     *
     * @param place null = the index does not know the message
     * @param stored as the store has it
     */
    public static MessageStatus statusNow(Location place, MessageStatus stored) {
        return place == null || place == WAITING ? stored : MessageStatus.READY;
    }
}
