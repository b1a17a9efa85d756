package io.mykit.delay.queue.census;

import java.time.Duration;

/** Tells whether metrics are scraped: without readers nothing is counted for them. Thread-safe. */
public final class ScrapeWatch {
    /** Longer than the usual intervals of scrapes. */
    private static final long PATIENCE_NANOS = Duration.ofMinutes(2).toNanos();

    private volatile long scrapedNanos = System.nanoTime() - PATIENCE_NANOS;
    private volatile Runnable first = () -> {};

    /** @param task runs when scrapes begin again; must return at once */
    public void onFirst(Runnable task) {
        first = task;
    }

    /** Metrics are being scraped. */
    public void scraped() {
        boolean begins = !areGoingOn();
        scrapedNanos = System.nanoTime();
        if (begins) {
            first.run();
        }
    }

    boolean areGoingOn() {
        return System.nanoTime() - scrapedNanos < PATIENCE_NANOS;
    }
}
