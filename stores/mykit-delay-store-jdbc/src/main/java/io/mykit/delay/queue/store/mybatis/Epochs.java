package io.mykit.delay.queue.store.mybatis;

import java.time.InstantSource;
import java.time.LocalDateTime;

/**
 * Gives out epochs (fencing numbers) for standalone leaders. Each epoch is given out once, and is greater than all
 * earlier ones. Thread-safe.
 */
final class Epochs {
    private final Transactions transactions;
    private final InstantSource clock;

    Epochs(Transactions transactions, InstantSource clock) {
        this.transactions = transactions;
        this.clock = clock;
    }

    long next(String name, long atLeast) {
        for (; ; ) {
            try {
                return transactions.write(session -> take(session.epochs(), name, atLeast));
            } catch (DuplicateRowException e) {
                // Another process inserted the first row in between. Rows are never removed, so the next round raises
                // it.
            }
        }
    }

    private long take(EpochMapper epochs, String name, long atLeast) {
        LocalDateTime now = UtcTime.ofMillis(clock.millis());
        if (epochs.raise(name, atLeast, now) == 0) {
            epochs.insert(name, atLeast, now);
        }
        return epochs.epoch(name);
    }
}
