package io.mykit.delay.channel.rabbitmq;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How many messages may be unconfirmed at a time, in all batches together. A broker that is slow, or has a backlog after an outage, gets no
 * more than it confirms well within the send timeout. Otherwise most of what it gets would be in doubt and be sent again, which costs
 * it the time for the next ones: it would never recover.
 *
 * <p>Each confirm that comes soon lets the window grow by one; confirms that take a quarter of the send timeout stop it; messages without a
 * confirm halve it, once per send timeout; a new connection begins again with the smallest window. (Slow start and multiplicative
 * decrease of RFC 5681; the delay as the first sign as in Brakmo, O'Malley, Peterson, TCP Vegas, SIGCOMM 1994.) Thread-safe.
 */
final class ConfirmWindow {
    /** The window of a new connection, and the smallest one (RFC 6928 has ten segments). A broker that was just started is cold. */
    static final int LEAST = 10;

    static final int MOST = 10_000;

    private final LongSupplier nanoTime;
    private final long timeoutNanos;
    private final Places places = new Places();
    private int size = LEAST;
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

    /** There is a new connection. The broker may have been started again, or be another one: it begins as the first one did. */
    synchronized void restart() {
        places.reducePermits(size - LEAST);
        size = LEAST;
    }

    /** Waits for a place; false if none became free within the time. */
    boolean enter(Duration patience) throws InterruptedException {
        return places.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Gives back places of messages of which nothing more is known than before. */
    void leave(int messages) {
        places.release(messages);
    }

    /**
     * The broker answered for messages.
     *
     * @param sinceNanos when the first of them was published, {@link #now}
     */
    synchronized void answered(int messages, long sinceNanos) {
        confirmedNanos = now();
        int more = confirmedNanos - sinceNanos < timeoutNanos / 4 ? Math.min(messages, MOST - size) : 0;
        size += more;
        places.release(messages + more);
    }

    /** Messages have no confirm within the send timeout. */
    synchronized void timedOut() {
        if (now() - shrunkNanos >= timeoutNanos) {
            shrunkNanos = now();
            int open = size - places.availablePermits();
            int half = Math.max(LEAST, Math.min(size, open) / 2);
            places.reducePermits(size - half);
            size = half;
        }
    }

    /** Whether the broker has answered since then, to any batch. */
    synchronized boolean hasAnsweredSince(long nanos) {
        return confirmedNanos - nanos > 0;
    }

    synchronized int size() {
        return size;
    }

    /** Free places: fewer than none while more messages are open than the window has places. */
    private static final class Places extends Semaphore {
        Places() {
            super(LEAST);
        }

        @Override
        public void reducePermits(int reduction) {
            super.reducePermits(reduction);
        }
    }
}
