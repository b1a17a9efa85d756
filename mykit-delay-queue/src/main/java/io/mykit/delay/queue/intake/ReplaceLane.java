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
 * Replaces messages beside the group commits. Each replacement is several round trips of its own, and new messages do not wait
 * for them. Thread-safe.
 */
public final class ReplaceLane implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReplaceLane.class);
    private static final int THREADS = 4;
    private static final int IDLE_SECONDS = 10;
    private static final int CLOSE_SECONDS = 10;

    private final Replacement replacement;
    private final ThreadPoolExecutor threads;

    /** @param limit replacements that may wait */
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

    /** Has a message replaced, and the push answered. Returns at once. */
    void submit(Push push, StoredMessage existing) {
        try {
            threads.execute(() -> replace(push, existing));
        } catch (RejectedExecutionException e) {
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
            LOG.error("Message {} could not be replaced", push.message().id(), e);
            push.fail(new DelayException(ErrorCode.INTERNAL, "the message could not be replaced", e));
        }
    }

    /** Finishes what was submitted, for at most ten seconds. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn(
                        "Replacements were still waiting after {} s; their producers are told to try again",
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
