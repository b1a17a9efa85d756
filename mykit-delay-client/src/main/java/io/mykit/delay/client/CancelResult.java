package io.mykit.delay.client;

/** The outcome of a cancel. */
public enum CancelResult {
    /** No delivery of the message will start any more. A second cancel answers the same. */
    CANCELLED,
    /** Too late: the message was or will be delivered. */
    ALREADY_DISPATCHED,
    /** The message has ended otherwise: it expired, or is a dead letter. */
    ALREADY_FINISHED,
    /** No message has this id. */
    NOT_FOUND
}
