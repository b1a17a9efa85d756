package io.mykit.delay.queue.store.mybatis;

/**
 * Whether the server refused the last write because it is read-only or full. A server that is full may still take what needs no
 * room, so an answer to a ping does not tell. Thread-safe.
 */
final class RefusedWrites {
    private volatile String reason;

    /** A transaction failed. */
    void failed(Exception failure) {
        if (SqlFailure.of(failure) == SqlFailure.NO_WRITES) {
            reason = SqlFailure.reason(failure);
        }
    }

    /** One was committed. */
    void accepted() {
        // Read first: on the way of every push, and nearly always nothing is to be changed.
        if (reason != null) {
            reason = null;
        }
    }

    /** Null = none was refused since the last that was not. */
    String reason() {
        return reason;
    }
}
