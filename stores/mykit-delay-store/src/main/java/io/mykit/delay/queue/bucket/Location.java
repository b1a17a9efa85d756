package io.mykit.delay.queue.bucket;

/** The place of a message in the index. */
public enum Location {
    /** In a waiting set of the bucket: the due time has not come. A held message is there too, and counts as taken. */
    WAITING,
    /** In a ready list: due, and not taken yet. */
    READY,
    /** Under a lease of the leader, which delivers it, or under a hold of a consumer that pulled it. */
    TAKEN,
    /** Delivered; the outcome is not in the store yet. */
    PARKED
}
