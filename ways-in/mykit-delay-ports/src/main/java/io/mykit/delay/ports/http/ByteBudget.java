package io.mykit.delay.ports.http;

import java.util.concurrent.atomic.AtomicLong;

/** Counts the bytes of requests without an answer and of answers that were not read. Thread-safe. */
final class ByteBudget {
    private final long limit;
    private final AtomicLong taken = new AtomicLong();

    ByteBudget(long limit) {
        this.limit = limit;
    }

    /** Returns false and takes nothing if the rest is too small. */
    boolean take(int bytes) {
        if (taken.addAndGet(bytes) <= limit) {
            return true;
        }
        taken.addAndGet(-bytes);
        return false;
    }

    /** Takes the bytes in any case, for an answer that has to be given. */
    void force(int bytes) {
        taken.addAndGet(bytes);
    }

    void giveBack(int bytes) {
        taken.addAndGet(-bytes);
    }
}
