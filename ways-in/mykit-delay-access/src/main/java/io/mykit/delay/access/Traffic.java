package io.mykit.delay.access;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/** Notes when a way into this node served its last call of a client. Probes and scrapes are none. Thread-safe. */
public final class Traffic {
    private final LongSupplier nanoTime;
    /** Null = none yet. */
    private final AtomicReference<Long> lastNanos = new AtomicReference<>();

    /** @param nanoTime as {@link System#nanoTime} */
    public Traffic(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** A call has begun. */
    public void note() {
        lastNanos.set(nanoTime.getAsLong());
    }

    /** Whether a call began within this time. */
    public boolean isWithin(Duration time) {
        Long last = lastNanos.get();
        return last != null && nanoTime.getAsLong() - last <= time.toNanos();
    }
}
