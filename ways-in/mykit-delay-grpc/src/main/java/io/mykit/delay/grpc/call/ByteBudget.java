package io.mykit.delay.grpc.call;

import java.util.concurrent.atomic.AtomicLong;

/** Counts the bytes of the requests and large answers of all calls that have not ended. Thread-safe. */
public final class ByteBudget {
    private final long limit;
    private final AtomicLong taken = new AtomicLong();

    /** @param limitBytes at least the largest request */
    public ByteBudget(long limitBytes) {
        this.limit = limitBytes;
    }

    /** Takes bytes that are in memory already. False: there are more than the limit. */
    boolean take(long bytes) {
        return taken.addAndGet(bytes) <= limit;
    }

    void giveBack(long bytes) {
        taken.addAndGet(-bytes);
    }

    public long taken() {
        return taken.get();
    }
}
