package io.mykit.delay.queue.dispatch;

/**
 * The judgement of messages that were sent together.
 *
 * @param measured the metrics of their channel
 * @param nowMs the time of the judgement, epoch milliseconds
 */
record Round(ChannelMeters measured, long nowMs, BatchOutcomes outcomes) {}
