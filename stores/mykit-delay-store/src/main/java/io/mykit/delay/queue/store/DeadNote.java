package io.mykit.delay.queue.store;

import io.mykit.delay.common.message.DeadReason;

/** Why a message died: a dead letter without its message. The time is in epoch milliseconds. */
public record DeadNote(DeadReason reason, String detail, long deadTimeMs) {}
