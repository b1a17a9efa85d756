package io.mykit.delay.queue.intake;

/** How a push was accepted. What is not accepted is a {@link io.mykit.delay.common.error.DelayException}. */
public enum PushResult {
    /** New. */
    ACCEPTED,
    /** The same message was accepted before; nothing new. */
    SAME,
    /** It took the place of an earlier one with its id. */
    REPLACED
}
