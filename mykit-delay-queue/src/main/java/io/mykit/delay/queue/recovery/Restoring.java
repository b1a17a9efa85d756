package io.mykit.delay.queue.recovery;

/** Restores messages for the HTTP interface. Calls may block. Thread-safe. */
public interface Restoring {
    RestoreReport restoreAll(RestoreOrder order);

    /** Returns false if no message has this id. */
    boolean restoreOne(String id);
}
