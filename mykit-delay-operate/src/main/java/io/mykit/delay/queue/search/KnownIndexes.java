package io.mykit.delay.queue.search;

import io.mykit.delay.queue.store.SearchIndexes;
import io.mykit.delay.queue.store.SearchStore;
import java.time.Duration;
import java.util.function.LongSupplier;

/** The optional indexes of the database. A search that comes an hour after the last look makes the next one. Thread-safe. */
public final class KnownIndexes {
    private static final long RENEW_NANOS = Duration.ofHours(1).toNanos();
    private static final long RENEW_SOON_NANOS = Duration.ofSeconds(10).toNanos();

    private final SearchStore store;
    private final LongSupplier nanoTime;
    private Look last;

    KnownIndexes(SearchStore store, LongSupplier nanoTime) {
        this.store = store;
        this.nanoTime = nanoTime;
    }

    /**
     * The indexes, at most an hour old. May block.
     *
     * @throws io.mykit.delay.common.error.DelayException STORE_UNAVAILABLE
     */
    public SearchIndexes now() {
        return now(RENEW_NANOS);
    }

    /**
     * The index of business keys decides whether a call that works on messages is possible. So an operator who has just made it does not
     * wait for an hour.
     */
    synchronized boolean bizKey() {
        return now(RENEW_NANOS).bizKey() || now(RENEW_SOON_NANOS).bizKey();
    }

    private synchronized SearchIndexes now(long renewNanos) {
        long nowNanos = nanoTime.getAsLong();
        if (last == null || nowNanos - last.atNanos() > renewNanos) {
            last = new Look(store.indexes(), nowNanos);
        }
        return last.indexes();
    }

    private record Look(SearchIndexes indexes, long atNanos) {}
}
