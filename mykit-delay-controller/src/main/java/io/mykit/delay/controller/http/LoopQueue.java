package io.mykit.delay.controller.http;

import io.vertx.core.Context;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes tasks of other threads to one event loop, in order. A commit answers many requests at once, so only the first task
 * wakes the loop, which then runs the others too. Thread-safe.
 */
final class LoopQueue implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(LoopQueue.class);

    private final Context loop;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean told = new AtomicBoolean();

    LoopQueue(Context loop) {
        this.loop = loop;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (!told.get() && told.compareAndSet(false, true)) {
            try {
                loop.runOnContext(now -> runAll());
            } catch (RuntimeException | Error e) {
                // The memory is used up, perhaps. The next task wakes the loop, which then runs this one too.
                told.set(false);
                throw e;
            }
        }
    }

    private void runAll() {
        // Reset before the first poll: a thread that adds a task after the last poll wakes the loop again.
        told.set(false);
        Runnable task;
        while ((task = tasks.poll()) != null) {
            // A task that fails must not stop the others, which have answers of their own.
            try {
                task.run();
            } catch (RuntimeException | Error defect) {
                LOG.error("An answer could not be written", defect);
            }
        }
    }
}
