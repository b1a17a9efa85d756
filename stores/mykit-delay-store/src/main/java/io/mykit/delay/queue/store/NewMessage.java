package io.mykit.delay.queue.store;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;

/** A message that is to be inserted, with its first status. */
public record NewMessage(DelayMessage message, MessageStatus status) {
    public NewMessage {
        if (!status.canBegin()) {
            throw new IllegalArgumentException("a message cannot begin as " + status);
        }
    }
}
