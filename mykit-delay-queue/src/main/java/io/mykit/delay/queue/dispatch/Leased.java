package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.message.DelayMessage;

/** A message that this leader has taken, and from which bucket. */
record Leased(int bucket, DelayMessage message) {
    String id() {
        return message.id();
    }
}
