package io.mykit.delay.queue.bucket;

/** Where the index has a message. */
public enum Location {
    /** In the bucket's zset. */
    WAITING,
    /** In a ready list. */
    READY,
    /** Under a lease: being delivered. */
    TAKEN,
    /** Delivered; the store has yet to learn it. */
    PARKED
}
