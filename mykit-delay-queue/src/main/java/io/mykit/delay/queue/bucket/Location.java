package io.mykit.delay.queue.bucket;

/** The place of a message in the index. */
public enum Location {
    /** In a waiting set of the bucket: the due time has not come. */
    WAITING,
    /** In a ready list: due, and not taken yet. */
    READY,
    /** Under a lease: a leader delivers it. */
    TAKEN,
    /** Delivered; the outcome is not in the store yet. */
    PARKED
}
