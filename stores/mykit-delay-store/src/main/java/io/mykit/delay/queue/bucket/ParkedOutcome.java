package io.mykit.delay.queue.bucket;

import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.common.message.MessageStatus;

/**
 * The outcome of a delivery that is not in the store yet.
 *
 * @param version of the message that was delivered or given up
 * @param status FINISH, FAILED or EXPIRED
 * @param readyMs the time at which the message was taken, epoch milliseconds
 * @param doneMs the time of the outcome, epoch milliseconds
 * @param detail the reason, for a person; cut at 250 characters, which is what a row keeps
 * @param reason why the message is a dead letter, if the status is FAILED; {@link DeadReason#ATTEMPTS} otherwise
 */
public record ParkedOutcome(
        String id,
        int version,
        MessageStatus status,
        long readyMs,
        long doneMs,
        int attempts,
        String detail,
        DeadReason reason) {
    private static final int MAX_DETAIL = 250;

    public ParkedOutcome {
        String text = detail == null ? "" : detail;
        detail = text.substring(0, Math.min(text.length(), MAX_DETAIL));
    }

    /** An outcome of a message that is no dead letter, or that used up its attempts. */
    public ParkedOutcome(
            String id, int version, MessageStatus status, long readyMs, long doneMs, int attempts, String detail) {
        this(id, version, status, readyMs, doneMs, attempts, detail, DeadReason.ATTEMPTS);
    }
}
