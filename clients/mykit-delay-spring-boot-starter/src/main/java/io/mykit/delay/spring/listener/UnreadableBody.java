package io.mykit.delay.spring.listener;

/** What becomes of a message whose body is no payload of its listener's type. */
public enum UnreadableBody {
    /** A dead letter at once, with the reason. */
    REJECT,
    /** A failed attempt: the message comes again after the gap of its policy. */
    RETRY
}
