package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.lifecycle.Threads;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs short tasks later, on one thread that runs from the beginning: a task never waits for a thread that cannot be started. A task
 * that fails runs again after a second. Thread-safe.
 */
final class Later implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Later.class);
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ScheduledThreadPoolExecutor thread =
            new ScheduledThreadPoolExecutor(1, Threads.named("dispatch-later"), new ThreadPoolExecutor.DiscardPolicy());

    Later() {
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        thread.prestartCoreThread();
    }

    /** Runs the task once this time has passed, unless {@link #close} is called before. */
    void run(long afterNanos, Runnable task) {
        var unused = thread.schedule(() -> attempt(task), afterNanos, TimeUnit.NANOSECONDS);
    }

    /** Runs a task that failed once more, after a second. */
    void again(Runnable task) {
        run(RETRY_NANOS, task);
    }

    private void attempt(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            // First: the log may fail as well, if the memory is used up.
            again(task);
            LOG.error("A topic could not be looked at again; the next try is in a second", e);
        }
    }

    /** Drops the tasks whose time has not come. */
    @Override
    public void close() {
        thread.shutdown();
    }
}
