package io.mykit.delay.queue.bucket;

/**
 * The numbers of messages in the index. The numbers are read one after the other, so they may disagree while messages move.
 *
 * @param pool all messages that the index has
 * @param leased messages that the leader has taken
 * @param parked delivered messages whose outcome is not in the store yet
 */
public record IndexSizes(long pool, long leased, long parked) {}
