package io.mykit.delay.client;

/** The outcome of a reschedule. */
public enum RescheduleResult {
    /** The message has its new due time. */
    RESCHEDULED,
    /** Too late: the message was or will be delivered, or an earlier attempt may have arrived. */
    ALREADY_DISPATCHED,
    /** The message has ended: it was delivered or cancelled, it expired, or it is a dead letter. */
    ALREADY_FINISHED,
    /** No message has this id. */
    NOT_FOUND
}
