package io.mykit.delay.channel.rabbitmq;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * How many messages may be unconfirmed at a time, in all batches together. A broker that is slow, or has a backlog after an outage, gets no
 * more than it confirms well within the send timeout. Otherwise most of what it gets would be in doubt and be sent again, which costs
 * it the time for the next ones: it would never recover.
 *
 * <p>Each confirm that comes soon lets the window grow by one; confirms that take a quarter of the send timeout stop it; messages without a
 * confirm halve it, once per send timeout. (Slow start and multiplicative decrease of RFC 5681; the delay as the first sign as in Brakmo,
 * O'Malley, Peterson, TCP Vegas, SIGCOMM 1994.) Thread-safe.
 */
final class ConfirmWindow {
    static final int BEGIN = 100;
    static final int LEAST = 10;
    static final int MOST = 10_000;

    private final LongSupplier nanoTime;
    private final long timeoutNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition left = lock.newCondition();
    // All below are guarded by the lock.
    private int size = BEGIN;
    private int open;
    private long confirmedNanos;
    private long shrunkNanos;

    /** @param sendTimeout after which a message without a confirm is in doubt */
    ConfirmWindow(Duration sendTimeout, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.timeoutNanos = sendTimeout.toNanos();
        this.confirmedNanos = nanoTime.getAsLong() - timeoutNanos;
        this.shrunkNanos = confirmedNanos;
    }

    long now() {
        return nanoTime.getAsLong();
    }

    /** Waits for a place; false if none became free within the time. */
    boolean enter(Duration patience) throws InterruptedException {
        long waitNanos = patience.toNanos();
        lock.lockInterruptibly();
        try {
            while (open >= size) {
                if (waitNanos <= 0) {
                    return false;
                }
                waitNanos = left.awaitNanos(waitNanos);
            }
            open++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Gives back places of messages of which nothing more is known than before. */
    void leave(int messages) {
        lock.lock();
        try {
            open -= messages;
            // Not all: a thread that is woken for nothing costs more than the looks of those that wait.
            for (int places = Math.min(messages, size - open); places > 0; places--) {
                left.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * The broker answered for messages.
     *
     * @param sinceNanos when the first of them was published, {@link #now}
     */
    void answered(int messages, long sinceNanos) {
        lock.lock();
        try {
            confirmedNanos = now();
            if (confirmedNanos - sinceNanos < timeoutNanos / 4) {
                size = Math.min(MOST, size + messages);
            }
            leave(messages);
        } finally {
            lock.unlock();
        }
    }

    /** Messages have no confirm within the send timeout. */
    void timedOut() {
        lock.lock();
        try {
            if (now() - shrunkNanos >= timeoutNanos) {
                shrunkNanos = now();
                size = Math.max(LEAST, Math.min(size, open) / 2);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether the broker has answered since then, to any batch. */
    boolean hasAnsweredSince(long nanos) {
        lock.lock();
        try {
            return confirmedNanos - nanos > 0;
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return size;
        } finally {
            lock.unlock();
        }
    }
}
