package io.mykit.delay.queue.producer;

import io.mykit.delay.common.message.DelayMessage;

/**
 * A push that keeps all rules. Immutable.
 *
 * @param replace whether the push may replace a message with this id that is not due yet
 */
public record CheckedPush(DelayMessage message, boolean replace) {}
