package io.mykit.delay.queue.intake;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.queue.store.StoredMessage;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces messages on threads of its own, beside the group commits. A replacement takes several round trips, and new
 * messages do not wait for them. Replacements of one id have the same thread, so they are made in the order in which they came.
 * Thread-safe.
 */
public final class ReplaceLane implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReplaceLane.class);
    private static final int THREADS = 4;
    private static final int IDLE_SECONDS = 10;
    private static final int CLOSE_SECONDS = 10;

    private final Replacement replacement;
    private final List<ExecutorService> threads;

    /** @param limit the largest number of replacements that may wait; each thread has its share of it */
    public ReplaceLane(Replacement replacement, int limit) {
        this.replacement = replacement;
        int share = Math.max(1, limit / THREADS);
        this.threads =
                IntStream.range(0, THREADS).mapToObj(i -> oneThread(share)).toList();
    }

    private static ExecutorService oneThread(int limit) {
        ThreadPoolExecutor thread = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(limit), Threads.named("replace"));
        thread.allowCoreThreadTimeOut(true);
        return thread;
    }

    /** Starts the replacement of a message. Returns at once; the push gets its answer later. */
    void submit(Push push, StoredMessage existing) {
        String id = push.message().id();
        try {
            threads.get(Math.floorMod(id.hashCode(), THREADS)).execute(() -> replace(push, existing));
        } catch (RejectedExecutionException e) {
            push.fail(new DelayException(ErrorCode.BUSY, "too many replacements wait; try again later"));
        } catch (Error e) {
            // The other pushes of the batch still get their answers.
            push.fail(new DelayException(
                    ErrorCode.BUSY, "the server cannot start a thread for the replacement; try again later"));
            LOG.error("No thread can be started for the replacement of message {}", id, e);
        }
    }

    private void replace(Push push, StoredMessage existing) {
        try {
            push.accept(replacement.replace(push, existing));
        } catch (DelayException e) {
            push.fail(e);
        } catch (RuntimeException | Error e) {
            LOG.error(
                    "The replacement of message {} failed because of a defect; its producer gets an error",
                    push.message().id(),
                    e);
            push.fail(new DelayException(
                    ErrorCode.INTERNAL, "the replacement failed because of a defect in the server; send it again", e));
        }
    }

    /** Finishes the submitted replacements, for at most ten seconds. */
    @Override
    public void close() {
        threads.forEach(ExecutorService::shutdown);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_SECONDS);
        try {
            boolean finished = true;
            for (ExecutorService thread : threads) {
                finished &= thread.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
            if (!finished) {
                LOG.warn(
                        "Stopping: some replacements did not finish within {} s; their producers have to send them again",
                        CLOSE_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        threads.forEach(ExecutorService::shutdownNow);
    }
}
