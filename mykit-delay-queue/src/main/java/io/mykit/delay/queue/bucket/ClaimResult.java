package io.mykit.delay.queue.bucket;

/** What a claim found. */
public enum ClaimResult {
    /** The bucket is as its last leader left it. */
    HELD,
    /** The bucket is new, or lost, or its restoration never ended: it must be restored from the store. */
    LOST,
    /**
     * Redis was restarted, or failed over, since the bucket was claimed last: it may be without what was written last, and must
     * be compared with the store. So it is until {@link OwnedBucket#markCompared}.
     */
    OLDER
}
