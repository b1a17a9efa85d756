package io.mykit.delay.test.fault.history;

/**
 * A cancel as its caller knows it.
 *
 * @param answeredMs epoch milliseconds
 */
public record Cancel(Answered answered, long answeredMs) {
    /** What a caller may believe. */
    public enum Answered {
        /** No delivery will start any more. */
        CANCELLED,
        /** It was or will be delivered. */
        ALREADY_DISPATCHED,
        /** No message has this id. */
        NOT_FOUND,
        /** A refusal that promises nothing, or no answer: either may be true. */
        NOTHING_KNOWN
    }
}
