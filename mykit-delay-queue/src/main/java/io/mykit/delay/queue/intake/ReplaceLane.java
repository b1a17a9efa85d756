package io.mykit.delay.queue.intake;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.queue.store.StoredMessage;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces messages on threads of its own, beside the group commits. A replacement takes several round trips, and new
 * messages do not wait for them. Thread-safe.
 */
public final class ReplaceLane implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReplaceLane.class);
    private static final int THREADS = 4;
    private static final int IDLE_SECONDS = 10;
    private static final int CLOSE_SECONDS = 10;

    private final Replacement replacement;
    private final ThreadPoolExecutor threads;

    /** @param limit the largest number of replacements that may wait */
    public ReplaceLane(Replacement replacement, int limit) {
        this.replacement = replacement;
        this.threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(limit),
                Threads.named("replace"));
        threads.allowCoreThreadTimeOut(true);
    }

    /** Starts the replacement of a message. Returns at once; the push gets its answer later. */
    void submit(Push push, StoredMessage existing) {
        try {
            threads.execute(() -> replace(push, existing));
        } catch (RejectedExecutionException e) {
            push.fail(busy());
        } catch (Error e) {
            // There is no thread for it. The other pushes of the batch still get their answers.
            LOG.error(
                    "No thread can be started for the replacement of message {}",
                    push.message().id(),
                    e);
            push.fail(busy());
        }
    }

    private void replace(Push push, StoredMessage existing) {
        try {
            replacement.replace(push.message(), existing);
            push.accept(PushResult.REPLACED);
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
        threads.shutdown();
        try {
            if (!threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn(
                        "Stopping: some replacements did not finish within {} s; their producers have to send them again",
                        CLOSE_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        threads.shutdownNow();
    }

    private static DelayException busy() {
        return new DelayException(ErrorCode.BUSY, "too many replacements wait; try again later");
    }
}
