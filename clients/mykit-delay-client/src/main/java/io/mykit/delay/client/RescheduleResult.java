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
    NOT_FOUND;

    static RescheduleResult read(Answer answer) {
        return switch (answer.error()) {
            case "ALREADY_DISPATCHED" -> ALREADY_DISPATCHED;
            case "ALREADY_FINISHED" -> ALREADY_FINISHED;
            case "NOT_FOUND" -> NOT_FOUND;
            default -> {
                answer.dataOrThrow();
                yield RESCHEDULED;
            }
        };
    }
}
