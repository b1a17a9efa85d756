package io.mykit.delay.queue.redis;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Tells whether the masters have been the same for a while. Nodes learn of a failover one after the other; until then an old and a
 * new master serve them at the same time. One thread reads the topology; any thread may ask.
 */
final class Steadiness {
    /** All nodes follow a new master sooner, and the leader has claimed the buckets of a restarted server sooner. */
    static final Duration SETTLED = Duration.ofSeconds(5);

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition read = lock.newCondition();
    private long begun;
    private long ended;
    private Object masters;
    private long sinceNanos;

    Steadiness(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** A read of the topology begins. */
    void begin() {
        lock.lock();
        try {
            begun++;
        } finally {
            lock.unlock();
        }
    }

    /** The read that has begun has found these masters. */
    void found(Object now) {
        lock.lock();
        try {
            if (!now.equals(masters)) {
                masters = now;
                sinceNanos = nanoTime.getAsLong();
            }
            ended = begun;
            read.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for a read that begins after this call, for a second at most. Returns false if there was none, or if a master is new.
     *
     * @param ask asks for such a read
     */
    boolean isSteady(Runnable ask) {
        lock.lock();
        try {
            long before = begun;
            ask.run();
            long left = PATIENCE.toNanos();
            while (ended <= before) {
                if (left <= 0) {
                    return false;
                }
                left = read.awaitNanos(left);
            }
            return nanoTime.getAsLong() - sinceNanos >= SETTLED.toNanos();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }
}
