package io.mykit.delay.controller;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.queue.operator.ClearOrder;
import io.mykit.delay.queue.operator.ClearReport;
import io.mykit.delay.queue.operator.DeadGroup;
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
import io.mykit.delay.queue.recovery.Progress;
import io.mykit.delay.queue.recovery.RecoveryBoard;
import io.mykit.delay.queue.recovery.RecoveryKind;
import io.mykit.delay.queue.store.DeadCursor;
import io.mykit.delay.queue.store.DeadLetter;
import io.mykit.delay.queue.store.DeadQuery;
import io.mykit.delay.queue.store.DeadTopic;
import io.mykit.delay.queue.store.TopicPause;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/** Two dead letters of the topic "t", none of the namespace "clean"; answers that tell the order back. Walks wait at the gate. */
final class StubOperators implements Operators {
    private final RecoveryBoard board = new RecoveryBoard(new SimpleMeterRegistry());
    private final AtomicBoolean taken = new AtomicBoolean();
    private final Runnable gate;

    /** @param gate where a walk waits */
    StubOperators(Runnable gate) {
        this.gate = gate;
    }

    @Override
    public Runnable turn() {
        if (!taken.compareAndSet(false, true)) {
            throw new DelayException(
                    ErrorCode.ALREADY_RUNNING,
                    "already running"
                            + board.ordered().map(progress -> ": " + progress).orElse(""));
        }
        return () -> taken.set(false);
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
        gate.run();
        return new RestoreReport(
                order.topic().isPresent() ? 1 : 5,
                order.restoreOverdue() ? 5 : 2,
                order.restoreOverdue() ? 0 : 3,
                9,
                order.resume(),
                0);
    }

    @Override
    public boolean restoreOne(String id) {
        return !id.equals("unknown");
    }

    @Override
    public ClearReport clear(ClearOrder order) {
        Progress progress = board.begin(RecoveryKind.CLEAR, "Clear of " + order, order.dryRun());
        try {
            gate.run();
        } finally {
            board.end(RecoveryKind.CLEAR, progress);
        }
        return new ClearReport(order.topic().isPresent() ? order.dueOnly() ? 2 : 1 : 7, 8, false, 0);
    }

    /** A pause that ends at the length that was asked for. */
    @Override
    public TopicPause pause(String topic, Optional<Duration> length) {
        check(topic);
        return new TopicPause(topic, length.map(Duration::toMillis).orElse(TopicPause.UNTIL_RESUMED));
    }

    @Override
    public void resume(String topic) {
        check(topic);
    }

    private static void check(String topic) {
        if (topic.equals("STORE_UNAVAILABLE")) {
            throw new DelayException(ErrorCode.STORE_UNAVAILABLE, "no store");
        }
    }

    /** Takes only a rate, the channel {@code good}, and metrics. */
    @Override
    public void changeTopic(String topic, Map<String, Optional<String>> changes) {
        check(topic);
        if (!Set.of("rate", "channel", "metrics").containsAll(changes.keySet())) {
            throw FieldRules.invalid("only a rate: " + changes);
        }
        Optional<String> channel = changes.getOrDefault("channel", Optional.empty());
        if (!channel.orElse("good").equals("good")) {
            throw FieldRules.invalid("channel = " + channel.get() + ": not installed");
        }
    }

    @Override
    public boolean retry(String topic) {
        return topic.equals("led-here");
    }

    @Override
    public List<PolicyKey> policy(String topic) {
        return List.of(new PolicyKey("maxAttempts", 16, "delivery.max-attempts"));
    }

    @Override
    public List<String> topicsWithPolicy(String prefix) {
        return List.of(prefix + "t");
    }

    @Override
    public List<PolicyKey> settings(String topic) {
        return List.of(
                new PolicyKey("channel", "good", "delivery.default-channel"),
                new PolicyKey("metrics", false, "default"));
    }

    @Override
    public List<DeadTopic> deadTopics(String prefix, int limit) {
        return prefix.equals("clean/") ? List.of() : List.of(new DeadTopic(prefix + "t", 2, 5, 6));
    }

    @Override
    public List<DeadLetter> deadLetters(String topic, DeadQuery query, DeadCursor after, int limit) {
        return Stream.of(letter(topic, "ä-1", 5), letter(topic, "b", 6))
                .filter(letter -> letter.deadTimeMs() > after.deadTimeMs())
                .limit(limit)
                .toList();
    }

    @Override
    public DeadGroups deadGroups(String topic) {
        return new DeadGroups(2, List.of(new DeadGroup(DeadReason.REFUSED, "HTTP 410", 2, 6)));
    }

    private static DeadLetter letter(String topic, String id, long deadMs) {
        return new DeadLetter(id, topic, "k", 3, DeadReason.REFUSED, "no", 4, deadMs);
    }

    @Override
    public DeadReport respawn(DeadOrder order, Pace pace) {
        return new DeadReport(order.limit(), pace.perSecond(), pace.delay().toMillis(), false);
    }

    @Override
    public DeadReport discard(DeadOrder order) {
        return new DeadReport(order.limit(), order.isPrefix() ? 1 : 0, 7, true);
    }

    @Override
    public long respawn(String topic, long limit, int maxAttempts, long ttlSeconds) {
        return 0;
    }

    @Override
    public long discard(String topic, long limit) {
        return 0;
    }

    @Override
    public boolean respawnOne(String id, Duration delay) {
        return !id.equals("unknown");
    }

    @Override
    public boolean discardOne(String id) {
        return !id.equals("unknown");
    }
}
