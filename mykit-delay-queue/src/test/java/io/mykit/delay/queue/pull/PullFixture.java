package io.mykit.delay.queue.pull;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.Namespaces;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.DeliveryConfig;
import io.mykit.delay.config.TopicPolicies;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.Pulled;
import io.mykit.delay.queue.bucket.PulledTopics;
import io.mykit.delay.queue.bucket.ScanResult;
import io.mykit.delay.queue.consumer.PullAnswer;
import io.mykit.delay.queue.consumer.PullOrder;
import io.mykit.delay.queue.consumer.PullSettings;
import io.mykit.delay.queue.consumer.PulledMessage;
import io.mykit.delay.queue.consumer.Settled;
import io.mykit.delay.queue.consumer.Settlement;
import io.mykit.delay.queue.consumer.Verb;
import io.mykit.delay.queue.dispatch.DeadCopies;
import io.mykit.delay.queue.dispatch.DispatchMeters;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.metric.TopicMeters;
import io.mykit.delay.queue.retry.RetryPolicies;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.topic.TopicPauses;
import io.mykit.delay.test.message.MessageBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A node that serves consumers, on stores in memory, with a leader whose scans a test makes. */
final class PullFixture implements AutoCloseable {
    static final String TOPIC = MemoryQueue.TOPIC;
    /** Pulled, too. */
    static final String URGENT = "urgent";

    static final int MAX_WAITING = 4;
    static final Duration TTR = Duration.ofSeconds(60);
    static final Duration HORIZON = Duration.ofHours(1);
    static final long GAP_MS = 5_000;
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final PulledTopics PULLED = PulledTopics.of(Map.of(TOPIC, true, URGENT, true), false);
    private static final Handover SCAN = new Handover(List.of(), 100, Duration.ofMinutes(1), PULLED);

    /** The topics that consumers pull now. */
    volatile PulledTopics pulled = PULLED;

    final MemoryQueue queue = new MemoryQueue(HORIZON);
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final TopicPauses pauses = new TopicPauses(queue.store().topics(), queue.index(), queue.clock(), List.of(), meters);
    final FaultyPool workers = new FaultyPool(Pull.workers());
    final Pull pull;
    /** How far the upper bound of the time is ahead of the steady time. */
    volatile Duration ahead = Duration.ZERO;

    final RetryPolicies policies;
    private final List<OwnedBucket> buckets = new ArrayList<>();

    PullFixture() {
        DeliveryConfig config = ConfigLoader.load(Map.of(
                        "mykit.delay.delivery.policy.t.max-attempts", "3",
                        "mykit.delay.delivery.policy.t.gaps", "5s,2h"))
                .delivery();
        policies = new RetryPolicies(config, new TopicPolicies(config.policy()), topic -> RetryOptions.NONE);
        pull = Pull.of(
                queue.store(),
                queue.index(),
                () -> queue.clock().instant().plus(ahead),
                queue.clock(),
                new Pulled() {
                    @Override
                    public boolean contains(String topic) {
                        return pulled.contains(topic);
                    }

                    @Override
                    public PulledTopics now() {
                        return pulled;
                    }
                },
                pauses,
                policies,
                queue.horizon(),
                new DeadCopies(topic -> Optional.of("graves"), queue.scheduling()::schedule, Namespaces.NONE),
                new DispatchMeters(meters, TopicMeters.none(meters), List.of()),
                new PullMeters(meters),
                new PullSettings(TTR, MAX_WAITING, Duration.ofMinutes(1), 0),
                workers);
        pull.start();
        for (int bucket = 0; bucket < MemoryQueue.BUCKETS; bucket++) {
            buckets.add(queue.index().claim(bucket, 1));
        }
    }

    @Override
    public void close() {
        pull.close();
    }

    /** Has a message that consumers can pull now. */
    DelayMessage ready(String id) {
        return ready(queue.message(id, 0));
    }

    DelayMessage ready(String id, String topic) {
        long now = queue.clock().millis();
        return ready(MessageBuilder.withId(id)
                .topic(topic)
                .body("body of " + id)
                .created(now)
                .build());
    }

    DelayMessage ready(DelayMessage message) {
        queue.store().insert(List.of(new NewMessage(message, MessageStatus.DELAY)));
        queue.index().schedule(List.of(message));
        scan();
        return message;
    }

    /** The leader looks for due messages. Returns those whose holds have ended. */
    List<DelayMessage> scan() {
        return scan(SCAN);
    }

    /** As a leader whose notices are lost. */
    void scanWithoutNotice() {
        scan(Handover.NONE);
    }

    private List<DelayMessage> scan(Handover handover) {
        List<DelayMessage> lapsed = new ArrayList<>();
        for (OwnedBucket bucket : buckets) {
            ScanResult result = bucket.moveDue(100, handover);
            lapsed.addAll(result.taken());
        }
        return lapsed;
    }

    /** Pulls without a wait. */
    List<PulledMessage> take(int count) throws Exception {
        return messages(order(count, Duration.ZERO));
    }

    /** The consumers that came before rest, because this one shares a look with them and is the last to be answered. */
    void awaitRest() throws Exception {
        assertThat(take(1)).isEmpty();
    }

    PulledMessage take() throws Exception {
        List<PulledMessage> messages = take(1);
        assertThat(messages).hasSize(1);
        return messages.get(0);
    }

    static PullOrder order(int count, Duration wait) {
        return new PullOrder(List.of(TOPIC), count, wait, null, false);
    }

    /** A consumer that waits for long. */
    static PullOrder patient() {
        return order(1, LONG);
    }

    List<PulledMessage> messages(PullOrder order) throws Exception {
        PullAnswer answer = answer(order);
        assertThat(answer.failure()).isNull();
        return answer.messages();
    }

    PullAnswer answer(PullOrder order) throws Exception {
        return get(pulling(order));
    }

    CompletableFuture<PullAnswer> pulling(PullOrder order) {
        CompletableFuture<PullAnswer> answer = new CompletableFuture<>();
        pull.pull(order, given -> assertThat(answer.complete(given)).isTrue());
        return answer;
    }

    static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(20, TimeUnit.SECONDS);
    }

    Settled settle(Verb verb, PulledMessage message) throws Exception {
        return settle(verb, message, null);
    }

    Settled settle(Verb verb, PulledMessage message, Duration delay) throws Exception {
        return settle(verb, new Settlement(message.message().id(), message.receipt(), delay, null, "said so"));
    }

    Settled settle(Verb verb, Settlement item) throws Exception {
        return get(pull.settle(verb, List.of(item))).get(0);
    }
}
