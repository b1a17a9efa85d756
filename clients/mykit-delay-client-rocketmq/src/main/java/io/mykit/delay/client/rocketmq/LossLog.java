package io.mykit.delay.client.rocketmq;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Logs oneway messages that were lost: the first one, and then at most one line in ten seconds with their number. Thread-safe. */
final class LossLog {
    private static final Logger LOG = System.getLogger("io.mykit.delay.client.rocketmq");
    private static final long PAUSE_NANOS = Duration.ofSeconds(10).toNanos();

    private final LongSupplier nanos;
    private final AtomicLong next;
    private final AtomicLong lost = new AtomicLong();

    /** @param nanos as {@link System#nanoTime} */
    LossLog(LongSupplier nanos) {
        this.nanos = nanos;
        this.next = new AtomicLong(nanos.getAsLong());
    }

    /** Returns the line that was logged; null = none. */
    String lost(int messages, Exception reason) {
        lost.addAndGet(messages);
        long now = nanos.getAsLong();
        long due = next.get();
        if (now - due < 0 || !next.compareAndSet(due, now + PAUSE_NANOS)) {
            return null;
        }
        String line = "Delayed messages sent oneway are lost, " + lost.getAndSet(0) + " since the last such line: "
                + reason.getMessage();
        LOG.log(Level.WARNING, line);
        return line;
    }
}
