package io.mykit.delay.controller.http;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the bytes of all requests without an answer, or of all answers that clients have not read. Without it some hundred
 * large batches at once, each within its own limit, would exceed the heap. Thread-safe.
 */
final class BodyBudget {
    private final long limit;
    private final AtomicLong taken = new AtomicLong();

    BodyBudget(long limitBytes) {
        this.limit = limitBytes;
    }

    /**
     * Returns false and takes no bytes if the rest is too small. The whole budget is never too small: otherwise a client could
     * repeat its call for ever.
     */
    boolean take(int bytes) {
        long all = taken.addAndGet(bytes);
        if (all <= limit || all == bytes) {
            return true;
        }
        taken.addAndGet(-bytes);
        return false;
    }

    /** Takes the bytes in any case, for a request or answer that can no longer be refused. */
    void force(int bytes) {
        taken.addAndGet(bytes);
    }

    void giveBack(int bytes) {
        taken.addAndGet(-bytes);
    }

    long taken() {
        return taken.get();
    }
}
