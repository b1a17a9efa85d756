package io.mykit.delay.controller.push;

import io.mykit.delay.common.message.DelayMessage;

/**
 * A valid push. Immutable.
 *
 * @param replace whether the push may replace a message with this id that is not due yet
 */
record PushRequest(DelayMessage message, boolean replace) {}
