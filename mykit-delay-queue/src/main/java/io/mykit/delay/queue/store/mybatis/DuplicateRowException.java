package io.mykit.delay.queue.store.mybatis;

/** A primary key was there already; the transaction was rolled back. */
final class DuplicateRowException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean inDoubt;

    /** @param inDoubt whether the row may be there because an earlier try was done after all */
    DuplicateRowException(Throwable cause, boolean inDoubt) {
        super(cause);
        this.inDoubt = inDoubt;
    }

    boolean isInDoubt() {
        return inDoubt;
    }
}
