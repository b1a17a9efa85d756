package io.mykit.delay.queue.store;

/**
 * The result of one insert.
 *
 * @param existing the row that had the id before. Its body is left out if the kind is {@link Kind#CONFLICT}. Null if
 *     the kind is {@link Kind#INSERTED}
 */
public record InsertResult(Kind kind, StoredMessage existing) {
    public static final InsertResult INSERTED = new InsertResult(Kind.INSERTED, null);

    /** The three results of an insert. */
    public enum Kind {
        /** The row is new. */
        INSERTED,
        /** A row with the same id and the same content exists. The insert changed nothing. */
        SAME,
        /** A row with the same id and other content exists. The insert changed nothing. */
        CONFLICT
    }
}
