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
final class StoreBreaker {
    private static final Logger LOG = LoggerFactory.getLogger(StoreBreaker.class);
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(5));

    private final LongSupplier nanoTime;
    private int failures;
    private long retryAtNanos;

    StoreBreaker(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Returns false while the last failure is too recent. */
    synchronized boolean worthTrying() {
        return failures == 0 || nanoTime.getAsLong() - retryAtNanos >= 0;
    }

    synchronized void failed(Exception why) {
        if (failures == 0) {
            LOG.info(
                    "The database is away. Deliveries go on, and their outcomes wait in Redis until it is back: {}",
                    why.getMessage());
        }
        failures++;
        retryAtNanos = nanoTime.getAsLong() + BACKOFF.after(failures).toNanos();
    }

    synchronized void succeeded() {
        if (failures > 0) {
            LOG.info("The database is back: outcomes are recorded there again");
        }
        failures = 0;
    }
}
