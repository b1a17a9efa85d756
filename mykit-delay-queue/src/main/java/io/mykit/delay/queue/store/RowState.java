package io.mykit.delay.queue.store;

import io.mykit.delay.common.message.MessageStatus;

/** The light part of a row of the message table; times in epoch milliseconds, {@code updateTimeMs} of its last change. */
public record RowState(
        String id, MessageStatus status, long dueTimeMs, long createTimeMs, int attempts, long updateTimeMs) {}
