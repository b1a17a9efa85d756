package io.mykit.delay.queue.intake;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.config.IntakeConfig;
import io.mykit.delay.config.TopicPolicies;
import io.mykit.delay.queue.commit.GroupCommit;
import io.mykit.delay.queue.commit.GroupLimits;
import io.mykit.delay.queue.commit.Parallelism;
import io.mykit.delay.queue.metric.Family;
import io.mykit.delay.queue.producer.PushResult;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Accepts messages. Many pushes share one transaction, see {@link GroupCommit}. Pushes of one id are stored in the order in
 * which they came.
 *
 * <p>Thread-safe: request threads put pushes into a bounded queue, and the threads of the lanes write them.
 */
public final class MessageIntake implements Service {
    private final GroupCommit<Push> group;
    private final TopicPolicies policies;

    /**
     * @param writers the number of transactions that the store can write at the same time
     * @param policies the ttl of messages that give none
     */
    public MessageIntake(
            BatchCommit commit, IntakeConfig config, int writers, TopicPolicies policies, MeterRegistry meters) {
        this.policies = policies;
        this.group = new GroupCommit<>(
                "intake",
                new GroupLimits(config.queueLimit(), config.batchLimit(), lanes(config, writers), config.linger()),
                Push::id,
                "too many messages wait to be stored; try again later",
                commit,
                Family.PUSH_COMMIT_DURATION.timer(meters));
        Family.INTAKE_QUEUE.gauge(meters, group, GroupCommit::waiting);
        Family.INTAKE_QUEUE_LIMIT.gauge(meters, config, IntakeConfig::queueLimit);
    }

    private static int lanes(IntakeConfig config, int writers) {
        int lanes = config.lanes() == 0 ? Parallelism.ofTransactions() : config.lanes();
        return Math.min(lanes, writers);
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
        group.submit(push);
        return push.future();
    }

    /** The row keeps the ttl of the policy, so that a later policy does not change a message that was accepted. */
    private DelayMessage withTtl(DelayMessage message) {
        return message.ttlSeconds() == 0 ? message.withTtl(policies.ttlSeconds(message.topic())) : message;
    }

    /** The loops of the intake, one for each lane. The health report checks that they are running. */
    public List<LoopRunner> loops() {
        return group.loops();
    }

    @Override
    public void start() {
        group.start();
    }

    /** Ends the batches that are being written, and refuses all other pushes. */
    @Override
    public void close() {
        group.close();
    }
}
