package io.mykit.delay.queue.bucket;

import io.mykit.delay.common.message.DelayMessage;

/**
 * What a removal found.
 *
 * @param message what was taken out, so that it can be put back; null unless {@link Kind#REMOVED}
 */
public record Removal(Kind kind, DelayMessage message) {
    public static final Removal TOO_LATE = new Removal(Kind.TOO_LATE, null);
    public static final Removal DELIVERED = new Removal(Kind.DELIVERED, null);
    public static final Removal VETOED = new Removal(Kind.VETOED, null);
    public static final Removal UNKNOWN = new Removal(Kind.UNKNOWN, null);

    /** The outcome. */
    public enum Kind {
        /** It was waiting, and is gone. */
        REMOVED,
        /** It is ready or taken. */
        TOO_LATE,
        /** Its delivery is over, and the store does not know that yet. */
        DELIVERED,
        /**
         * The index does not have it, and a veto keeps it out: another cancel or replacement is under way, or one ended before its
         * answer.
         */
        VETOED,
        /** The index does not have it. */
        UNKNOWN
    }
}
