package io.mykit.delay.client;

/** The outcome of a cancel. */
public enum CancelResult {
    /** No delivery of the message has begun, and none will start any more. A second cancel answers the same. */
    CANCELLED,
    /**
     * No delivery of the message will start any more. An earlier attempt failed, or its end is unknown: the receiver may have got the
     * message. A second cancel answers the same.
     */
    CANCELLED_AFTER_ATTEMPT,
    /** Too late: the message was or will be delivered. */
    ALREADY_DISPATCHED,
    /** The message has ended otherwise: it expired, or is a dead letter. */
    ALREADY_FINISHED,
    /** No message has this id. */
    NOT_FOUND;

    static CancelResult read(Answer answer) {
        return switch (answer.error()) {
            case "ALREADY_DISPATCHED" -> ALREADY_DISPATCHED;
            case "ALREADY_FINISHED" -> ALREADY_FINISHED;
            case "NOT_FOUND" -> NOT_FOUND;
            default -> {
                answer.dataOrThrow();
                yield answer.attempted() ? CANCELLED_AFTER_ATTEMPT : CANCELLED;
            }
        };
    }

    /** Whether no delivery of the message will start any more. */
    public boolean isCancelled() {
        return this == CANCELLED || this == CANCELLED_AFTER_ATTEMPT;
    }
}
