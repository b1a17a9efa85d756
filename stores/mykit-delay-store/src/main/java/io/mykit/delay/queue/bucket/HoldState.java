package io.mykit.delay.queue.bucket;

/** Whether a consumer holds a message. */
public enum HoldState {
    /** Under a hold with this receipt. */
    HELD,
    /** Under a hold with another receipt. */
    HELD_BY_ANOTHER,
    /** Under no hold: the message waits, is ready, is under a leader's lease, or is unknown to the index. */
    FREE
}
