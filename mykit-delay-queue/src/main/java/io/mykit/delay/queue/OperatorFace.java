package io.mykit.delay.queue;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.config.DeliveryConfig;
import io.mykit.delay.queue.delivery.Channels;
import io.mykit.delay.queue.duty.DeliveryDuty;
import io.mykit.delay.queue.metric.TopicMeters;
import io.mykit.delay.queue.operator.ClearOrder;
import io.mykit.delay.queue.operator.ClearReport;
import io.mykit.delay.queue.operator.DeadGroups;
import io.mykit.delay.queue.operator.DeadOrder;
import io.mykit.delay.queue.operator.DeadReport;
import io.mykit.delay.queue.operator.EndedWork;
import io.mykit.delay.queue.operator.Operators;
import io.mykit.delay.queue.operator.Pace;
import io.mykit.delay.queue.operator.PolicyKey;
import io.mykit.delay.queue.operator.RestoreOrder;
import io.mykit.delay.queue.operator.RestoreReport;
import io.mykit.delay.queue.operator.RunningWork;
import io.mykit.delay.queue.recovery.Clearer;
import io.mykit.delay.queue.recovery.DeadLetters;
import io.mykit.delay.queue.recovery.DeadMeters;
import io.mykit.delay.queue.recovery.Recovery;
import io.mykit.delay.queue.recovery.RecoveryBoard;
import io.mykit.delay.queue.recovery.Restorer;
import io.mykit.delay.queue.retry.PolicySources;
import io.mykit.delay.queue.retry.RetryPolicies;
import io.mykit.delay.queue.store.DeadCursor;
import io.mykit.delay.queue.store.DeadLetter;
import io.mykit.delay.queue.store.DeadQuery;
import io.mykit.delay.queue.store.DeadTopic;
import io.mykit.delay.queue.store.TopicPause;
import io.mykit.delay.queue.topic.SettingKind;
import io.mykit.delay.queue.topic.TopicPauses;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Gives each call of an operator to its part of the engine, and lets one walk over many messages run at a time. Thread-safe. */
final class OperatorFace implements Operators {
    private final Restorer restorer;
    private final Clearer clearer;
    private final DeadLetters dead;
    private final RecoveryBoard board;
    private final TopicPauses pauses;
    private final DeliveryDuty duty;
    private final Channels channels;
    private final PolicySources policies;
    private final TopicMeters topics;
    /** Null = no walk has the turn. */
    private final AtomicReference<Object> turn = new AtomicReference<>();

    OperatorFace(
            Recovery recovery,
            DeadMeters meters,
            TopicPauses pauses,
            DeliveryDuty duty,
            Channels channels,
            RetryPolicies policies,
            TopicMeters topics,
            DeliveryConfig config) {
        this.restorer = new Restorer(recovery);
        this.clearer = new Clearer(recovery);
        this.dead = new DeadLetters(recovery, meters);
        this.board = recovery.board();
        this.pauses = pauses;
        this.duty = duty;
        this.channels = channels;
        this.topics = topics;
        this.policies = new PolicySources(config, policies, channels::retry);
    }

    @Override
    public Runnable turn() {
        Object own = new Object();
        if (!turn.compareAndSet(null, own)) {
            throw new DelayException(
                    ErrorCode.ALREADY_RUNNING,
                    "a restore, clear, respawn or discard is already running on this node"
                            + board.ordered().map(progress -> ": " + progress).orElse("")
                            + "; stop=true stops it");
        }
        return () -> turn.compareAndSet(own, null);
    }

    @Override
    public List<RunningWork> running() {
        return board.running();
    }

    @Override
    public List<EndedWork> ended() {
        return board.ended();
    }

    @Override
    public boolean stop(long number) {
        return board.stop(number);
    }

    @Override
    public Optional<RunningWork> stopOrdered() {
        return board.stopOrdered();
    }

    @Override
    public RestoreReport restoreAll(RestoreOrder order) {
        return restorer.restoreAll(order);
    }

    @Override
    public boolean restoreOne(String id) {
        return restorer.restoreOne(id);
    }

    @Override
    public ClearReport clear(ClearOrder order) {
        return clearer.clear(order);
    }

    @Override
    public List<DeadTopic> deadTopics(String prefix, int limit) {
        return dead.topics(prefix, limit);
    }

    @Override
    public List<DeadLetter> deadLetters(String topic, DeadQuery query, DeadCursor after, int limit) {
        return dead.page(topic, query, after, limit);
    }

    @Override
    public DeadGroups deadGroups(String topic) {
        return dead.groups(topic);
    }

    @Override
    public DeadReport respawn(DeadOrder order, Pace pace) {
        return dead.respawn(order, pace);
    }

    @Override
    public DeadReport discard(DeadOrder order) {
        return dead.discard(order);
    }

    @Override
    public long respawn(String topic, long limit, int maxAttempts, long ttlSeconds) {
        return dead.respawn(topic, limit, maxAttempts, ttlSeconds);
    }

    @Override
    public long discard(String topic, long limit) {
        return dead.discard(topic, limit);
    }

    @Override
    public boolean respawnOne(String id, Duration delay) {
        return dead.respawnOne(id, delay);
    }

    @Override
    public boolean discardOne(String id) {
        return dead.discardOne(id);
    }

    @Override
    public TopicPause pause(String topic, Optional<Duration> length) {
        return pauses.pause(topic, length);
    }

    @Override
    public void resume(String topic) {
        pauses.resume(topic);
    }

    @Override
    public void changeTopic(String topic, Map<String, Optional<String>> changes) {
        try {
            pauses.set(topic, changes);
        } catch (IllegalArgumentException e) {
            throw FieldRules.invalid(e.getMessage());
        }
    }

    @Override
    public boolean retry(String topic) {
        return duty.retry(topic);
    }

    @Override
    public List<PolicyKey> policy(String topic) {
        return policies.of(topic, channels.channelOf(topic));
    }

    @Override
    public List<PolicyKey> settings(String topic) {
        boolean wanted = topics.isWanted(topic);
        boolean configured = topics.isConfigured(topic);
        return List.of(
                new PolicyKey(SettingKind.CHANNEL, channels.channelOf(topic), channels.source(topic)),
                new PolicyKey(
                        SettingKind.METRICS,
                        wanted || configured,
                        wanted ? Channels.OPERATOR : configured ? "configuration" : "default"));
    }

    @Override
    public List<String> topicsWithPolicy(String prefix) {
        return policies.ownTopics(prefix);
    }
}
