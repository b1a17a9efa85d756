package io.mykit.delay.test.bridge;

import io.mykit.delay.common.lifecycle.Threads;
import java.util.concurrent.TimeUnit;

/** A thread that sleeps ten milliseconds at a time, and adds up by how much each sleep was longer than that. */
final class Sleeper implements AutoCloseable {
    private static final long SLEEP_MS = 10;

    private final Thread thread = Threads.daemon("sleeper", this::run);
    private volatile long lostNanos;

    Sleeper() {
        thread.start();
    }

    /** The time so far in which it could have been awake and was not. */
    long lostMs() {
        return TimeUnit.NANOSECONDS.toMillis(lostNanos);
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void run() {
        long before = System.nanoTime();
        long lost = 0;
        while (true) {
            try {
                TimeUnit.MILLISECONDS.sleep(SLEEP_MS);
            } catch (InterruptedException e) {
                return;
            }
            long now = System.nanoTime();
            lost += Math.max(0, now - before - TimeUnit.MILLISECONDS.toNanos(SLEEP_MS));
            lostNanos = lost;
            before = now;
        }
    }
}
