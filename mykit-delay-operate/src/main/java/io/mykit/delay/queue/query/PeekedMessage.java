package io.mykit.delay.queue.query;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Hold;

/**
 * A message of the index that stays in its place.
 *
 * @param attempts the failed attempts up to now
 * @param hold the hold of a consumer; null = none
 */
public record PeekedMessage(DelayMessage message, int attempts, Hold hold) {}
