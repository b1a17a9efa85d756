package io.mykit.delay.queue.bucket;

/**
 * The number of messages in the index, over all buckets. The numbers are read one after the other.
 *
 * @param pool all messages
 * @param leased messages that the leader has taken; they are in the pool, too
 * @param parked delivered messages whose outcome is not in the store yet
 */
public record NearCount(long pool, long leased, long parked) {}
