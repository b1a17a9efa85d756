package io.mykit.delay.queue.store.mybatis;

/**
 * Remembers whether the server refused the last write because the server is read-only or full. The answer to a ping
 * is no sign of that: a full server may still accept writes that need no disk space. Thread-safe.
 */
final class RefusedWrites {
    private volatile String reason;

    /** Notes a failed transaction. */
    void failed(Exception failure) {
        if (SqlFailure.of(failure) == SqlFailure.NO_WRITES) {
            reason = SqlFailure.reason(failure);
        }
    }

    /** Notes a committed transaction. */
    void accepted() {
        // The field is read before it is written: every push comes here, and nearly always the field is null already.
        if (reason != null) {
            reason = null;
        }
    }

    /** The reason of the last refusal; null if a write was accepted since, or none was refused. */
    String reason() {
        return reason;
    }
}
