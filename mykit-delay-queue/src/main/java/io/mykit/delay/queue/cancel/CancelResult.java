package io.mykit.delay.queue.cancel;

import io.mykit.delay.queue.store.RowState;

/** The result of a cancel. */
public enum CancelResult {
    /** No delivery has begun, and none will start any more. A second cancel gets the same answer. */
    CANCELLED,
    /** No delivery will start any more. An earlier attempt failed, or its end is unknown: its receiver may have got the message. */
    CANCELLED_AFTER_ATTEMPT,
    /** The message was delivered or will be delivered. */
    ALREADY_DISPATCHED,
    /** The message ended otherwise: it expired, or it is a dead letter. */
    ALREADY_FINISHED,
    /** No message has this id. */
    UNKNOWN;

    /** @param attempted whether an attempt may have reached the receiver */
    static CancelResult ofCancelled(boolean attempted) {
        return attempted ? CANCELLED_AFTER_ATTEMPT : CANCELLED;
    }

    /** Whether the message is cancelled. */
    public boolean isCancelled() {
        return this == CANCELLED || this == CANCELLED_AFTER_ATTEMPT;
    }

    /** The result for a message that has ended. A cancel counts an attempt whose end is unknown, so the row tells of it. */
    static CancelResult ofEnded(RowState row) {
        return switch (row.status()) {
            case DELETE -> ofCancelled(row.attempts() > 0);
            case FINISH -> ALREADY_DISPATCHED;
            default -> ALREADY_FINISHED;
        };
    }
}
