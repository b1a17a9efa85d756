package io.mykit.delay.test.fault.history;

/**
 * A cancel as its caller knows it, or another call that told as much.
 *
 * @param askedMs before it was sent, epoch milliseconds
 * @param answeredMs epoch milliseconds
 */
public record Cancel(Answered answered, long askedMs, long answeredMs) {
    /** What a caller may believe. */
    public enum Answered {
        /** No delivery has begun, and none will start any more. */
        CANCELLED,
        /** No delivery will start any more. An earlier one may arrive. */
        CANCELLED_AFTER_ATTEMPT,
        /** It was or will be delivered. */
        ALREADY_DISPATCHED,
        /** No message has this id. */
        NOT_FOUND,
        /** It expired, or is a dead letter. */
        ENDED,
        /** Nothing was changed. A veto may keep the message out of Redis for 20 s. */
        REFUSED,
        /** A refusal that promises nothing, or no answer: either may be true, also much later. */
        NOTHING_KNOWN
    }

    /** Whether no delivery may start after the answer. */
    public boolean isCancelled() {
        return answered == Answered.CANCELLED || answered == Answered.CANCELLED_AFTER_ATTEMPT;
    }

    /** Whether asking again is of no use. */
    public boolean isLast() {
        return answered != Answered.NOTHING_KNOWN && answered != Answered.REFUSED;
    }

    /** Whether it may have ended the message after that time. */
    public boolean mayEndAfter(long atMs) {
        return answered == Answered.NOTHING_KNOWN || (isCancelled() && answeredMs >= atMs);
    }
}
