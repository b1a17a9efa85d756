package io.mykit.delay.ports.call;

import io.mykit.delay.common.lifecycle.Threads;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs short tasks after a while, on one thread. The number of tasks that wait is bounded: beyond it, and after the close, a task runs at
 * once on the caller's thread. Thread-safe.
 */
public final class Later implements AutoCloseable {
    private static final int MOST = 20_000;

    private final ScheduledThreadPoolExecutor timer;
    private final AtomicInteger waiting = new AtomicInteger();

    /** @param thread its name */
    public Later(String thread) {
        timer = new ScheduledThreadPoolExecutor(1, Threads.named(thread));
    }

    public void in(Duration time, Runnable task) {
        if (waiting.incrementAndGet() > MOST) {
            waiting.decrementAndGet();
            task.run();
            return;
        }
        Runnable counted = () -> {
            waiting.decrementAndGet();
            task.run();
        };
        try {
            ScheduledFuture<?> unused = timer.schedule(counted, time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            counted.run();
        }
    }

    /** The tasks that wait do not run any more. */
    @Override
    public void close() {
        timer.shutdownNow();
    }
}
