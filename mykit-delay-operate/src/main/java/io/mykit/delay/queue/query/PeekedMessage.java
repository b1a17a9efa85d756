package io.mykit.delay.queue.query;

import io.mykit.delay.common.message.DelayMessage;

/**
 * A message of the index that stays in its place.
 *
 * @param attempts the failed attempts up to now
 */
public record PeekedMessage(DelayMessage message, int attempts) {}
