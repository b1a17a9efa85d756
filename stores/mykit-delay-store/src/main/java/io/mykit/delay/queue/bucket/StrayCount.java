package io.mykit.delay.queue.bucket;

/**
 * What a bucket counts to find orphaned messages.
 *
 * @param orphans the number of orphaned messages minus the number of entries without a message that are no ghosts. An orphaned message is
 *     in the pool, but in no waiting set, no ready list and under no lease, because a key of the bucket was lost
 * @param ghosts the number of entries of ready lists without effect: their messages have left the bucket, wait again, or are under a
 *     lease. They stay until they are at the head
 * @param leasesLost whether the key of the leases was lost since the last claim of the bucket
 * @param lists the number of waiting sets and ready lists whose lengths were read
 */
public record StrayCount(long orphans, long ghosts, boolean leasesLost, long lists) {}
