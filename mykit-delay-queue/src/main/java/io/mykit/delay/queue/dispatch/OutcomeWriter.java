package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.lifecycle.OutageLog;
import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.common.message.BodyBounds;
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
 * Writes the outcomes of batches at the same time as the next batches are delivered. One object for each term; thread-safe.
 *
 * <p>No delivery waits for an outcome, but each transaction costs the store much, whatever its size. So batches share one
 * transaction (group commit, as in the intake), and the first of them waits {@link #LINGER} for others. A limited number of
 * messages of one topic may wait; beyond that, the threads that deliver the topic wait.
 */
public final class OutcomeWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OutcomeWriter.class);
    /** The places ({@link BatchOutcomes#places}) of a transaction. */
    private static final int MAX_PLACES = 1000;
    /** The places of a topic that wait. */
    private static final int MAX_WAITING_PER_TOPIC = 6_400;
    /** The places of a topic that are written before those of another one. */
    private static final int TURN = 200;
    /** The characters of dead bodies and results that wait, of all topics together. */
    private static final long MAX_TEXT = 2L * BodyBounds.TOGETHER;

    private static final Duration LINGER = Duration.ofMillis(20);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final OutageLog outage = new OutageLog(
            LOG, "Outcomes of deliveries cannot be written", "Outcomes of deliveries can be written again");
    private final OutcomeCommit record;
    private final OutcomeQueue waiting = new OutcomeQueue(MAX_WAITING_PER_TOPIC, TURN, MAX_TEXT);
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final ScheduledThreadPoolExecutor writers;

    /** @param transactions the maximum of transactions at the same time */
    OutcomeWriter(OutcomeCommit record, int transactions) {
        this.record = record;
        this.writers = new ScheduledThreadPoolExecutor(transactions, Threads.named("outcomes"));
        // A batch never waits for a thread that cannot be started.
        writers.prestartAllCoreThreads();
    }

    /** Writes the submitted batches, for at most ten seconds. Call it after the last {@link #submit}. */
    @Override
    public void close() {
        writers.shutdown();
        try {
            if (!writers.awaitTermination(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn(
                        "Outcomes are still being written after {}. Their messages wait for the end of their leases",
                        CLOSE_TIMEOUT);
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

    /**
     * Queues a batch, which is written soon. Waits while too many messages of its topic wait. If the thread is interrupted,
     * the batch is left to its lease.
     */
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

    @SuppressWarnings("FutureReturnValueIgnored") // The task itself logs its failures.
    private void schedule(Duration delay) {
        if (scheduled.compareAndSet(false, true)) {
            try {
                writers.schedule(this::writeSome, delay.toNanos(), TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException closed) {
                LOG.debug("The writers have ended; close() writes the remaining outcomes");
            } catch (Error e) {
                // There is no thread for it. The next batch tries again.
                scheduled.set(false);
                throw e;
            }
        }
    }

    private void writeSome() {
        // This line comes before the queue is read: a batch that arrives after the read schedules the next write.
        scheduled.set(false);
        List<BatchOutcomes> batches = new ArrayList<>();
        try {
            int places = 0;
            BatchOutcomes next;
            while (places < MAX_PLACES && (next = waiting.poll()) != null) {
                batches.add(next);
                places += next.places();
            }
            if (!waiting.isEmpty()) {
                schedule(Duration.ZERO);
            }
        } finally {
            // After an Error too: what was taken out of the queue is in no other place.
            write(batches);
        }
    }

    private void write(List<BatchOutcomes> batches) {
        if (batches.isEmpty()) {
            return;
        }
        try {
            record.write(batches);
            outage.succeeded();
        } catch (RuntimeException | Error e) {
            outage.failed(
                    batches.stream().mapToInt(BatchOutcomes::endings).sum()
                            + " messages are not settled in Redis and wait for the end of their leases: "
                            + e.getMessage(),
                    isOutage(e) ? null : e);
        }
    }

    private static boolean isOutage(Throwable failure) {
        return failure instanceof DelayException known && known.code().isOutage();
    }
}
