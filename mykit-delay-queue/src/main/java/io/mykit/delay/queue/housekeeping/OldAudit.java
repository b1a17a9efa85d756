package io.mykit.delay.queue.housekeeping;

import io.mykit.delay.queue.store.AuditStore;

/** Removes the rows of the audit whose retention is over, a page at a time. For one thread. */
final class OldAudit {
    private final AuditStore store;
    private final int pageSize;
    private long beforeMs;
    private boolean done = true;

    OldAudit(AuditStore store, int pageSize) {
        this.store = store;
        this.pageSize = pageSize;
    }

    /** Begins a round: rows before this time go. */
    void begin(long timeMs) {
        beforeMs = timeMs;
        done = false;
    }

    /** Removes one page. Returns the number of rows. */
    int removePage() {
        int gone = store.remove(beforeMs, pageSize);
        done = gone < pageSize;
        return gone;
    }

    boolean isDone() {
        return done;
    }
}
