package io.mykit.delay.controller.http;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of all requests that were not answered yet, or of all answers that were not read yet. Without it a few hundred large
 * batches at once, each inside its own limit, would be more than the heap. Thread-safe.
 */
final class BodyBudget {
    private final long limit;
    private final AtomicLong taken = new AtomicLong();

    BodyBudget(long limitBytes) {
        this.limit = limitBytes;
    }

    /** Returns false, and takes nothing, if there is not so much left. */
    boolean take(int bytes) {
        if (taken.addAndGet(bytes) <= limit) {
            return true;
        }
        taken.addAndGet(-bytes);
        return false;
    }

    /** Takes it in any case: for what cannot be refused any more. */
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
