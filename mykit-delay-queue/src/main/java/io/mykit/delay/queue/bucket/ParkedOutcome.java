package io.mykit.delay.queue.bucket;

import io.mykit.delay.common.message.MessageStatus;

/**
 * A delivery's outcome, waiting for the store.
 *
 * @param version that was delivered, or given up
 * @param status FINISH, FAILED or EXPIRED
 * @param readyMs when it was taken, epoch milliseconds
 * @param doneMs when it came about, epoch milliseconds
 */
public record ParkedOutcome(
        String id, int version, MessageStatus status, long readyMs, long doneMs, int attempts, String detail) {}
