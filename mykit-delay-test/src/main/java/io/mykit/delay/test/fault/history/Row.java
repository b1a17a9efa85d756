package io.mykit.delay.test.fault.history;

import io.mykit.delay.common.message.MessageStatus;

/** A message's row at the end. */
public record Row(String id, MessageStatus status, int attempts) {}
