package io.mykit.delay.queue.bucket;

import io.mykit.delay.common.message.DelayMessage;

/** A message with the hold under which it is. */
public record HeldMessage(DelayMessage message, Hold hold) {}
