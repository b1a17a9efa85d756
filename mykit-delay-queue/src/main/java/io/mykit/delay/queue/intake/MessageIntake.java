package io.mykit.delay.queue.intake;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.config.IntakeConfig;
import io.mykit.delay.config.TopicPolicies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Accepts messages. Pushes that come while a batch is being written form the next batch. This is a group commit, as
 * in DeWitt et al., Implementation Techniques for Main Memory Database Systems, 1984: many messages share one
 * transaction, and no message waits for a fixed delay. {@link CommitPause} decides when a batch waits a short time
 * for more messages.
 *
 * <p>Thread-safe: request threads put pushes into a bounded queue, and the thread of the intake writes them.
 */
public final class MessageIntake implements Service {
    private static final Duration LOOK_UP_FROM_EMPTY_QUEUE = Duration.ofMillis(200);
    private static final Backoff AFTER_DEFECT = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1));

    private final BlockingQueue<Push> waiting;
    private final BatchCommit commit;
    private final int batchLimit;
    private final TopicPolicies policies;
    private final Timer batches;
    private final CommitPause gathering = new CommitPause();
    private final LoopRunner loop;
    private volatile long lastCameNanos;
    private volatile boolean closed;

    /** @param policies the ttl of messages that give none */
    public MessageIntake(BatchCommit commit, IntakeConfig config, TopicPolicies policies, MeterRegistry meters) {
        this.waiting = new ArrayBlockingQueue<>(config.queueLimit());
        this.commit = commit;
        this.batchLimit = config.batchLimit();
        this.policies = policies;
        this.loop = new LoopRunner("intake", this::commitOnce, AFTER_DEFECT);
        this.batches = Timer.builder("mykit.delay.intake.batch")
                .description("One group commit: store and index together")
                .register(meters);
        meters.gaugeCollectionSize("mykit.delay.intake.queue", List.of(), waiting);
    }

    /**
     * Accepts one message. Returns at once; the future completes, on a thread of the intake, when the message is
     * committed in the store. It fails with a {@link DelayException}: ID_CONFLICT, ALREADY_DISPATCHED (replace came too
     * late), BUSY, STORE_UNAVAILABLE; or with an {@link Error}.
     *
     * @param replace whether a message with this id that is not yet due may be replaced
     */
    public CompletableFuture<PushResult> push(DelayMessage message, boolean replace) {
        Push push = new Push(withTtl(message), replace);
        if (closed) {
            push.fail(new DelayException(ErrorCode.BUSY, "the server is stopping"));
        } else if (!waiting.offer(push)) {
            push.fail(new DelayException(ErrorCode.BUSY, "too many messages wait to be stored; try again later"));
        }
        lastCameNanos = System.nanoTime();
        return push.future();
    }

    /** The row keeps the ttl of the policy, so that a later policy does not change a message that was accepted. */
    private DelayMessage withTtl(DelayMessage message) {
        return message.ttlSeconds() == 0 ? message.withTtl(policies.ttlSeconds(message.topic())) : message;
    }

    /** The loop of the intake. The health report checks that it is running. */
    public LoopRunner loop() {
        return loop;
    }

    @Override
    public void start() {
        loop.start();
    }

    /** Commits the pushes that were accepted before, and refuses later ones. */
    @Override
    public void close() {
        closed = true;
        loop.close();
        Push left;
        while ((left = waiting.poll()) != null) {
            left.fail(new DelayException(ErrorCode.BUSY, "the server is stopping"));
        }
    }

    private Duration commitOnce() throws InterruptedException {
        // The list is allocated before pushes are taken from the queue: an OutOfMemoryError must not lose a push that
        // was taken.
        List<Push> batch = new ArrayList<>(batchLimit);
        Push first = waiting.poll(LOOK_UP_FROM_EMPTY_QUEUE.toMillis(), TimeUnit.MILLISECONDS);
        if (first != null) {
            batch.add(first);
            gather(batch);
            long startedNanos = System.nanoTime();
            try {
                commit.commit(batch);
            } finally {
                long tookNanos = System.nanoTime() - startedNanos;
                batches.record(tookNanos, TimeUnit.NANOSECONDS);
                gathering.ended(batch.size(), waiting.size(), tookNanos, lastCameNanos);
            }
        }
        return Duration.ZERO;
    }

    private void gather(List<Push> batch) {
        try {
            gathering.await(() -> waiting.size() + batch.size());
            waiting.drainTo(batch, batchLimit - batch.size());
        } catch (Error e) {
            batch.forEach(push -> push.fail(e));
            throw e;
        }
    }
}
