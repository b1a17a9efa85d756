package io.mykit.delay.queue.bucket;

/** The state in which a claim found the bucket. */
public enum ClaimResult {
    /** The bucket is as its last leader left it. */
    HELD,
    /** The bucket is new, or lost, or its restoration never ended: it must be restored from the store. */
    LOST,
    /**
     * Redis was restarted, or failed over, since the last claim of the bucket. Its last writes may be missing, so the
     * bucket must be compared with the store. The bucket stays in this state until {@link OwnedBucket#markCompared}.
     */
    OLDER
}
