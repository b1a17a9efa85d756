package io.mykit.delay.common.lifecycle;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes the threads of this server. Each has a name, and all are daemons: a stop never waits for a thread that hangs in a
 * library.
 */
public final class Threads {
    private static final long IDLE_SECONDS = 5;

    private Threads() {}

    /** Makes a thread that is not started yet. */
    public static Thread daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Makes threads that all have this name: for a pool of one thread, or for threads that need no names of their own. */
    public static ThreadFactory named(String name) {
        return task -> daemon(name, task);
    }

    /** Makes an executor of one thread, which ends while there is nothing to do. It is not closed: its tasks must end by themselves. */
    public static Executor single(String name) {
        ThreadPoolExecutor executor =
                new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named(name));
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    /** Threads {@code name-1}, {@code name-2}, ... */
    public static ThreadFactory numbered(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> daemon(name + "-" + number.incrementAndGet(), task);
    }
}
