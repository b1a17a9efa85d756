package io.mykit.delay.queue.bucket;

import io.mykit.delay.common.message.DelayMessage;

/**
 * The result of a removal.
 *
 * @param message the removed message, so that the caller can put it back; null unless {@link Kind#REMOVED}
 */
public record Removal(Kind kind, DelayMessage message) {
    public static final Removal TOO_LATE = new Removal(Kind.TOO_LATE, null);
    public static final Removal DELIVERED = new Removal(Kind.DELIVERED, null);
    public static final Removal VETOED = new Removal(Kind.VETOED, null);
    public static final Removal UNKNOWN = new Removal(Kind.UNKNOWN, null);

    /** The outcome. */
    public enum Kind {
        /** The message waited, and is removed. */
        REMOVED,
        /** The message is ready or taken. */
        TOO_LATE,
        /** The message was delivered; its outcome is not in the store yet. */
        DELIVERED,
        /**
         * The index does not have the message, and a veto keeps it out: another cancel or replacement is under way, or it ended
         * before its answer.
         */
        VETOED,
        /** The index does not know the message. */
        UNKNOWN
    }
}
