package io.mykit.delay.queue.cancel;

import io.mykit.delay.common.message.MessageStatus;

/** The result of a cancel. */
public enum CancelResult {
    /** No delivery will start any more. A second cancel gets the same answer. */
    CANCELLED,
    /** The message was delivered or will be delivered. */
    ALREADY_DISPATCHED,
    /** The message ended otherwise: it expired, or it is a dead letter. */
    ALREADY_FINISHED,
    /** No message has this id. */
    UNKNOWN;

    /** The result for a message that has ended in this status. */
    static CancelResult ofEnded(MessageStatus status) {
        return switch (status) {
            case DELETE -> CANCELLED;
            case FINISH -> ALREADY_DISPATCHED;
            default -> ALREADY_FINISHED;
        };
    }
}
