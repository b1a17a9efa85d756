package io.mykit.delay.queue.memory;

import io.mykit.delay.queue.store.StoreInDoubtException;
import io.mykit.delay.queue.store.StoreUnavailableException;
import java.util.function.Supplier;

/** The transactions of one store, which take turns with those of all stores over the same tables, and the faults of tests. Thread-safe. */
final class MemoryTurns {
    /** The lock of all transactions. */
    private final MemoryTables tables;

    private volatile Runnable before = () -> {};
    private volatile boolean away;
    private volatile boolean losesNextAnswer;

    MemoryTurns(MemoryTables tables) {
        this.tables = tables;
    }

    void before(Runnable hook) {
        before = hook;
    }

    void goAway() {
        away = true;
    }

    void comeBack() {
        away = false;
    }

    boolean isAway() {
        return away;
    }

    void loseNextAnswer() {
        losesNextAnswer = true;
    }

    <T> T read(Supplier<T> query) {
        before.run();
        if (away) {
            throw new StoreUnavailableException("the store is away", null);
        }
        return inTurn(query);
    }

    <T> T write(Supplier<T> work) {
        T result = read(work);
        if (losesNextAnswer) {
            losesNextAnswer = false;
            throw new StoreInDoubtException(null);
        }
        return result;
    }

    /** A look of a test, which no fault meets. */
    <T> T inTurn(Supplier<T> work) {
        synchronized (tables) {
            return work.get();
        }
    }
}
