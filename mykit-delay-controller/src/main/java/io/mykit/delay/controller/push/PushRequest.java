package io.mykit.delay.controller.push;

import io.mykit.delay.common.message.DelayMessage;

/**
 * A valid push.
 *
 * @param replace whether a message with this id that is not yet due may be replaced
 */
record PushRequest(DelayMessage message, boolean replace) {}
