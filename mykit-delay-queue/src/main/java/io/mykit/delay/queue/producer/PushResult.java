package io.mykit.delay.queue.producer;

import io.mykit.delay.common.message.MessageStatus;

/**
 * The result of an accepted push. A push that is not accepted fails with a {@link
 * io.mykit.delay.common.error.DelayException}.
 *
 * @param status the status of the row, only with {@link Kind#SAME}; null otherwise
 */
public record PushResult(Kind kind, MessageStatus status) {
    public static final PushResult ACCEPTED = new PushResult(Kind.ACCEPTED, null);
    public static final PushResult REPLACED = new PushResult(Kind.REPLACED, null);

    /** The push repeats one that was accepted before. */
    public static PushResult same(MessageStatus status) {
        return new PushResult(Kind.SAME, status);
    }

    /** The three results of a push. */
    public enum Kind {
        /** The message is new. */
        ACCEPTED,
        /** The same push was accepted before. This one changed nothing. */
        SAME,
        /** The message replaced an earlier message with the same id. */
        REPLACED
    }
}
