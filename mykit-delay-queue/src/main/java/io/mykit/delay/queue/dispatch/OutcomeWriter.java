package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.lifecycle.OutageLog;
import io.mykit.delay.common.lifecycle.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what became of batches beside the next ones, for one term. Thread-safe.
 *
 * <p>Nobody waits for an outcome, but a transaction costs the store a lot whatever is in it. So batches share one (group
 * commit, as in the intake), and the first of them waits {@link #LINGER} for company. Only so many of a topic may wait; then
 * those who deliver it do.
 */
public final class OutcomeWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OutcomeWriter.class);
    /** Transactions at once. */
    private static final int WRITERS = 2;

    private static final int MAX_WAITING_PER_TOPIC = 32;
    private static final int MAX_MESSAGES = 1000;
    private static final Duration LINGER = Duration.ofMillis(20);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final OutageLog outage = new OutageLog(LOG, "Outcomes cannot be written", "Outcomes can be written again");
    private final OutcomeCommit record;
    private final OutcomeQueue waiting = new OutcomeQueue(MAX_WAITING_PER_TOPIC);
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final ScheduledThreadPoolExecutor writers =
            new ScheduledThreadPoolExecutor(WRITERS, Threads.named("outcomes"));

    OutcomeWriter(OutcomeCommit record) {
        this.record = record;
    }

    /** Writes what was submitted, for at most ten seconds; to be called when nobody submits any more. */
    @Override
    public void close() {
        writers.shutdown();
        try {
            if (!writers.awaitTermination(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("Outcomes are still being written after {} and are left to their leases", CLOSE_TIMEOUT);
                writers.shutdownNow();
            }
            while (!waiting.isEmpty()) {
                writeSome();
            }
        } catch (InterruptedException e) {
            writers.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    /** Has a batch written soon. Waits while too many of its topic do; interrupted, it leaves the batch to its lease. */
    void submit(String topic, BatchOutcomes outcomes) {
        if (outcomes.endings() == 0) {
            return;
        }
        try {
            waiting.put(topic, outcomes);
            schedule(LINGER);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Writes one batch now.
     *
     * @throws RuntimeException as {@link OutcomeCommit#write}
     */
    void write(BatchOutcomes outcomes) {
        record.write(List.of(outcomes));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The task says itself what went wrong.
    private void schedule(Duration delay) {
        if (scheduled.compareAndSet(false, true)) {
            try {
                writers.schedule(this::writeSome, delay.toNanos(), TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException closed) {
                LOG.debug("The writers have ended: close writes the rest");
            }
        }
    }

    private void writeSome() {
        // Before the look into the queue: what comes after that look schedules the next one.
        scheduled.set(false);
        List<BatchOutcomes> batches = new ArrayList<>();
        int messages = 0;
        BatchOutcomes next;
        while (messages < MAX_MESSAGES && (next = waiting.poll()) != null) {
            batches.add(next);
            messages += next.endings();
        }
        if (!waiting.isEmpty()) {
            schedule(Duration.ZERO);
        }
        if (batches.isEmpty()) {
            return;
        }
        try {
            record.write(batches);
            outage.succeeded();
        } catch (RuntimeException | Error e) {
            outage.failed(
                    "the index was not told of " + messages + " messages, their leases will run out: " + e.getMessage(),
                    isOutage(e) ? null : e);
        }
    }

    private static boolean isOutage(Throwable failure) {
        return failure instanceof DelayException known && known.code().isOutage();
    }
}
