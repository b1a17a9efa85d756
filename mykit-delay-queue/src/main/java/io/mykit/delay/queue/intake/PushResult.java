package io.mykit.delay.queue.intake;

/**
 * The result of an accepted push. A push that is not accepted fails with a {@link
 * io.mykit.delay.common.error.DelayException}.
 */
public enum PushResult {
    /** The message is new. */
    ACCEPTED,
    /** The same message was accepted before. The push changed nothing. */
    SAME,
    /** The message replaced an earlier message with the same id. */
    REPLACED
}
