package io.mykit.delay.queue.dispatch;

import java.time.Duration;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** The pause before a batch gathers its messages, if many arrive. Only the batch of a topic that gathers uses it. */
final class GatherPause {
    private static final Duration LENGTH = Duration.ofMillis(2);
    /** After a batch of at most so many messages, the next one does not wait. */
    private static final int MAX_TRICKLE = 2;

    private final LongSupplier nanoTime;
    private final LongConsumer parkNanos;
    private long untilNanos;

    /** @param parkNanos lets the current thread wait */
    GatherPause(LongSupplier nanoTime, LongConsumer parkNanos) {
        this.nanoTime = nanoTime;
        this.parkNanos = parkNanos;
        this.untilNanos = nanoTime.getAsLong();
    }

    void await() {
        parkNanos.accept(Math.max(0, untilNanos - nanoTime.getAsLong()));
    }

    /** Begins the pause of the next batch, after one that got so many messages from the scanners. */
    void begin(int handed) {
        untilNanos = nanoTime.getAsLong() + (handed > MAX_TRICKLE ? LENGTH.toNanos() : 0);
    }
}
