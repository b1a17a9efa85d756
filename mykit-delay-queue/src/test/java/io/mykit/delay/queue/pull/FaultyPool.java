package io.mykit.delay.queue.pull;

import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A pool that cannot take a task when a test says so. Thread-safe. */
final class FaultyPool extends ThreadPoolExecutor {
    private final AtomicInteger faults = new AtomicInteger();

    /** @param same the pool whose sizes this one has */
    FaultyPool(ThreadPoolExecutor same) {
        super(
                same.getCorePoolSize(),
                same.getMaximumPoolSize(),
                0,
                TimeUnit.SECONDS,
                same.getQueue(),
                same.getThreadFactory());
    }

    /** The next task is refused by an error. */
    void failNext() {
        faults.incrementAndGet();
    }

    boolean hasFailed() {
        return faults.get() == 0;
    }

    @Override
    public void execute(Runnable task) {
        if (faults.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new OutOfMemoryError("no thread for this task");
        }
        super.execute(task);
    }
}
