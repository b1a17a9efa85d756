package io.mykit.delay.common.lifecycle;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Threads for calls that block, with a bounded queue. If the queue is full, the caller is told to try again. Thread-safe.
 */
public final class Workers {
    private final ThreadPoolExecutor threads;

    public Workers(String name, int size, int queue) {
        this.threads = new ThreadPoolExecutor(
                size, size, 30, TimeUnit.SECONDS, new ArrayBlockingQueue<>(queue), Threads.numbered(name));
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Runs a task on one of the threads.
     *
     * @throws DelayException BUSY
     */
    public <T> CompletableFuture<T> run(Supplier<T> work) {
        try {
            return CompletableFuture.supplyAsync(work, threads);
        } catch (RejectedExecutionException full) {
            throw new DelayException(ErrorCode.BUSY, "too many calls at once; try again", full);
        }
    }

    /** Waits for running tasks, and interrupts those that still run after the grace. */
    public void close(Duration grace) {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(grace.toMillis(), TimeUnit.MILLISECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException interrupted) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
