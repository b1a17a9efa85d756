package io.mykit.delay.queue.bucket;

import io.mykit.delay.common.message.DelayMessage;

/**
 * The result of a removal.
 *
 * @param message the removed message, so that the caller can put it back; null unless {@link Kind#REMOVED}
 * @param wasReady whether the removed message was in its ready list
 * @param attempted whether an attempt to deliver the removed message may have reached its receiver
 */
public record Removal(Kind kind, DelayMessage message, boolean wasReady, boolean attempted) {
    public static final Removal TOO_LATE = new Removal(Kind.TOO_LATE, null, false, false);
    public static final Removal DELIVERED = new Removal(Kind.DELIVERED, null, false, false);
    public static final Removal VETOED = new Removal(Kind.VETOED, null, false, false);
    public static final Removal UNKNOWN = new Removal(Kind.UNKNOWN, null, false, false);

    public static Removal of(DelayMessage removed, boolean wasReady, boolean attempted) {
        return new Removal(Kind.REMOVED, removed, wasReady, attempted);
    }

    /** The outcome. */
    public enum Kind {
        /** The message waited, or was ready, and is removed. */
        REMOVED,
        /** The message is taken, or may be taken: the bucket has lost its leases. */
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
