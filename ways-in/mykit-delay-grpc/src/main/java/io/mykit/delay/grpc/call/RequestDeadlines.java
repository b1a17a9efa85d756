package io.mykit.delay.grpc.call;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;

/**
 * Ends calls whose request does not come: without this, a client that hangs would keep a place and the bytes that it has sent. A loop
 * looks for them. Thread-safe.
 */
public final class RequestDeadlines {
    static final Duration BOUND = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final LongSupplier nanoTime;
    /** The calls whose request is not complete, and when they began. */
    private final ConcurrentMap<Incomplete, Long> open = new ConcurrentHashMap<>();

    /** @param nanoTime as {@link System#nanoTime} */
    public RequestDeadlines(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    void begun(Incomplete call) {
        open.put(call, nanoTime.getAsLong());
    }

    /** The request is complete, or its call has ended. */
    void complete(Incomplete call) {
        open.remove(call);
    }

    /** Ends the calls that are too late. Returns the pause until the next time. */
    public Duration look() {
        long nowNanos = nanoTime.getAsLong();
        open.forEach((call, sinceNanos) -> {
            if (nowNanos - sinceNanos > BOUND.toNanos() && open.remove(call) != null) {
                call.tooLate();
            }
        });
        return PAUSE;
    }

    /** A call whose request is coming. */
    interface Incomplete {
        /** Ends the call; any thread may call it. */
        void tooLate();
    }
}
