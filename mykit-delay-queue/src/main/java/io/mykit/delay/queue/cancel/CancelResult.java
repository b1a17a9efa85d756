package io.mykit.delay.queue.cancel;

/** What became of a cancel. */
public enum CancelResult {
    /** No delivery will start any more. Also the answer to a second cancel. */
    CANCELLED,
    /** It was or will be delivered. */
    ALREADY_DISPATCHED,
    /** It ended otherwise: expired, or a dead letter. */
    ALREADY_FINISHED,
    /** No message has this id. */
    UNKNOWN
}
