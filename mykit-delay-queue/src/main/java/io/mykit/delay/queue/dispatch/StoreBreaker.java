package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.lifecycle.Backoff;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers that the store is away, so that not every batch waits for the timeout. Thread-safe.
 *
 * <p>A circuit breaker (Michael Nygard, Release It!, 2007).
 */
public final class StoreBreaker {
    private static final Logger LOG = LoggerFactory.getLogger(StoreBreaker.class);
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(2));

    private final LongSupplier nanoTime;
    private final String meanwhile;
    private int failures;
    private long retryAtNanos;

    /** @param meanwhile what happens while the store is away, as a sentence for the log */
    public StoreBreaker(LongSupplier nanoTime, String meanwhile) {
        this.nanoTime = nanoTime;
        this.meanwhile = meanwhile;
    }

    /** Returns false while the last failure is too recent. */
    public synchronized boolean worthTrying() {
        return failures == 0 || nanoTime.getAsLong() - retryAtNanos >= 0;
    }

    public synchronized void failed(Exception why) {
        if (failures == 0) {
            LOG.info("The database is away. {}: {}", meanwhile, why.getMessage());
        }
        failures++;
        retryAtNanos = nanoTime.getAsLong() + BACKOFF.after(failures).toNanos();
    }

    public synchronized void succeeded() {
        if (failures > 0) {
            LOG.info("The database is back");
        }
        failures = 0;
    }
}
