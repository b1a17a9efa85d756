package io.mykit.delay.queue.store.mybatis;

/** A row with this primary key exists already. The transaction was rolled back. */
final class DuplicateRowException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean inDoubt;

    /** @param inDoubt true if the row may come from an earlier try whose answer was lost */
    DuplicateRowException(Throwable cause, boolean inDoubt) {
        super(cause);
        this.inDoubt = inDoubt;
    }

    boolean isInDoubt() {
        return inDoubt;
    }
}
