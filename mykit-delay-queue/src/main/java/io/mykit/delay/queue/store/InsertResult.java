package io.mykit.delay.queue.store;

/**
 * What became of one insert.
 *
 * @param existing the row that was there before, without its body when {@link Kind#CONFLICT}; null when {@link
 *     Kind#INSERTED}
 */
public record InsertResult(Kind kind, StoredMessage existing) {
    public static final InsertResult INSERTED = new InsertResult(Kind.INSERTED, null);

    /** The outcome. */
    public enum Kind {
        /** A new row. */
        INSERTED,
        /** The id exists with the same content; nothing new. */
        SAME,
        /** The id exists with other content; nothing changed. */
        CONFLICT
    }
}
