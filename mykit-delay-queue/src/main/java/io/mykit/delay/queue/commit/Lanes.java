package io.mykit.delay.queue.commit;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.IntSupplier;

/**
 * The turns of the lanes of a {@link GroupCommit}. One lane gathers a batch at a time. While a batch is being written, another
 * lane gathers only if as many items wait as that batch has, and enough to be worth a batch: smaller batches cost more for each
 * item. The last lane that wrote goes on while items are few, so a second thread is not woken for them.
 *
 * <p>Invariant: the items of one key are in one batch at a time. An item whose key is being written ends the batch before it, so
 * items of one key are written in the order in which they came.
 *
 * <p>Thread-safe.
 */
final class Lanes<T> {
    /** No lane waits for items. */
    private static final int NONE = Integer.MAX_VALUE;

    private final int lanes;
    private final Function<T, ?> key;
    private final IntSupplier waiting;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition turn = lock.newCondition();
    private final Condition ended = lock.newCondition();
    private final Set<Object> keys = new HashSet<>();
    private int writing;
    /** The items of all batches that are being written. */
    private int items;

    private boolean gathering;
    private boolean closed;
    /** A lane waits for so many items. Items that come look at it without the lock. */
    private volatile int wanted = NONE;

    /**
     * @param lanes how many there are
     * @param key the key of an item, with equals and hashCode
     * @param waiting reads the number of items that no lane has taken
     */
    Lanes(int lanes, Function<T, ?> key, IntSupplier waiting) {
        this.lanes = lanes;
        this.key = key;
        this.waiting = waiting;
    }

    /**
     * Waits until the calling lane may gather. A lane that gathers calls {@link #taken} or {@link #pass} next.
     *
     * @return false if the time has passed, or after {@link #close}
     */
    boolean begin(Duration atMost) throws InterruptedException {
        lock.lock();
        try {
            long leftNanos = atMost.toNanos();
            while (!closed && leftNanos > 0) {
                if (!gathering) {
                    // Before the look at the items: an item that comes after the look sees it.
                    wanted = writing == 0 ? 0 : worthALane();
                    if (waiting.getAsInt() >= wanted) {
                        wanted = NONE;
                        gathering = true;
                        return true;
                    }
                }
                leftNanos = turn.awaitNanos(leftNanos);
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Notes that an item came. */
    void came() {
        int enough = wanted;
        if (enough != NONE && waiting.getAsInt() >= enough) {
            lock.lock();
            try {
                wakeSpare();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Whether another lane is writing. */
    boolean isWriting() {
        lock.lock();
        try {
            return writing > 0;
        } finally {
            lock.unlock();
        }
    }

    /** Whether no other lane is writing an item of this key. */
    boolean isFree(T item) {
        lock.lock();
        try {
            return !keys.contains(key.apply(item));
        } finally {
            lock.unlock();
        }
    }

    /** Waits until no other lane is writing an item of this key. The store's timeouts bound the wait. */
    void awaitFree(T item) {
        lock.lock();
        try {
            while (keys.contains(key.apply(item))) {
                ended.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /** How many of these items the batch takes. If there are enough for two batches, half of them are left to another lane. */
    int share(int items) {
        boolean isDivided = lanes > 1 && items >= 2 * GroupCommit.ENOUGH && !isWriting();
        return isDivided ? items / 2 : items;
    }

    /** The calling lane has gathered this batch and writes it. It calls {@link #wrote} next. */
    void taken(List<T> batch) {
        lock.lock();
        try {
            gathering = false;
            writing++;
            items += batch.size();
            if (lanes > 1) {
                batch.forEach(item -> keys.add(key.apply(item)));
                wanted = worthALane();
                if (waiting.getAsInt() >= wanted) {
                    wakeSpare();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * The calling lane has gathered nothing.
     *
     * @param goesOn as for {@link #wrote}
     */
    void pass(boolean goesOn) {
        lock.lock();
        try {
            gathering = false;
            replace(goesOn);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The calling lane has written this batch.
     *
     * @param goesOn whether the lane begins again at once; if not, another one must look after the items
     */
    void wrote(List<T> batch, boolean goesOn) {
        lock.lock();
        try {
            writing--;
            items -= batch.size();
            if (lanes > 1) {
                batch.forEach(item -> keys.remove(key.apply(item)));
                ended.signalAll();
            }
            replace(goesOn);
        } finally {
            lock.unlock();
        }
    }

    /** No lane gathers any more. */
    void close() {
        lock.lock();
        try {
            closed = true;
            turn.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void replace(boolean goesOn) {
        if (!goesOn) {
            turn.signal();
        }
    }

    /** As many items as a batch has that is being written. */
    private int worthALane() {
        return Math.max(GroupCommit.ENOUGH, items / writing);
    }

    private void wakeSpare() {
        wanted = NONE;
        turn.signal();
    }
}
