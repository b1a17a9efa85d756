package io.mykit.delay.queue.cancel;

/** The result of a cancel. */
public enum CancelResult {
    /** No delivery will start any more. A second cancel gets the same answer. */
    CANCELLED,
    /** The message was delivered or will be delivered. */
    ALREADY_DISPATCHED,
    /** The message ended otherwise: it expired, or it is a dead letter. */
    ALREADY_FINISHED,
    /** No message has this id. */
    UNKNOWN
}
