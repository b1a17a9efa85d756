package io.mykit.delay.queue.dispatch;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.channel.AsyncDeliveryChannel;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.config.TopicLimits;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.Pulled;
import io.mykit.delay.queue.bucket.PulledTopics;
import io.mykit.delay.queue.bucket.ScanResult;
import io.mykit.delay.queue.delivery.ChannelRoute;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.OwnedBuckets;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.metric.TopicMeters;
import io.mykit.delay.queue.schedule.Horizon;
import io.mykit.delay.queue.state.PausedTopics;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.topic.DifferingTopics;
import io.mykit.delay.queue.trace.SendSpans;
import io.mykit.delay.test.message.MessageBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits of a topic, from its ready lists to its channel, which may answer at once or later. */
class LimitedDispatchTest {
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final int BATCH = 4;
    private static final double RATE = 40;

    private final MemoryQueue queue = new MemoryQueue(Duration.ZERO);
    private final LeaderTerm term = new LeaderTerm(1, () -> {});
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final DispatchMeters meters = new DispatchMeters(registry, TopicMeters.none(registry), List.of());
    private final LeaseClock leases = new LeaseClock(System::nanoTime, LEASE);
    private final StoreBreaker breaker = new StoreBreaker(System::nanoTime, "Deliveries go on");
    private final Later later = new Later();
    private final OwnedBuckets buckets = new OwnedBuckets(queue.index(), term);
    private final OutcomeWriter writer =
            new OutcomeWriter(new OutcomeCommit(queue.store(), buckets, breaker, meters, DeadCopies.NONE), 2);
    private final Backoff backoff = new Backoff(Duration.ofMillis(1), Duration.ofMillis(2));
    private final Sending sending = new Sending(
            queue.clock(), backoff, Policies.ofAttempts(3), new Horizon(Duration.ofHours(1)), meters, SendSpans.NONE);
    private final BatchDelivery delivery = new BatchDelivery(
            term,
            queue.store(),
            queue.index(),
            buckets,
            queue.clock(),
            new Gate(queue.store(), breaker),
            sending,
            writer,
            leases);
    private final long begunNanos = System.nanoTime();
    private final RestingTopics resting = new RestingTopics(
            PausedTopics.NONE, new DifferingTopics(Map.of(), "test", true), Pulled.of(PulledTopics.NONE));
    private final Dispatcher dispatcher = new Dispatcher(
            term,
            buckets,
            delivery,
            new AsyncDelivery(
                    term,
                    delivery,
                    buckets,
                    sending,
                    new Flights(1000, 1_000_000, new BodyBudget(Long.MAX_VALUE / 2)),
                    resting,
                    new Pulse(term, System::nanoTime),
                    leases,
                    later),
            this::route,
            this::limits,
            resting,
            new DispatchSettings(BATCH, LEASE, 16, Pulled.of(PulledTopics.NONE)),
            leases,
            backoff,
            later,
            meters);

    private final Queue<Sent> sent = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void claim() {
        for (int bucket = 0; bucket < MemoryQueue.BUCKETS; bucket++) {
            buckets.claim(bucket);
        }
    }

    @AfterEach
    void close() {
        term.revoke();
        sent.forEach(one -> one.fate.complete(Delivery.DELIVERED));
        dispatcher.stop();
        dispatcher.close(Duration.ofSeconds(10));
        writer.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"blocking", "async"})
    void rateIsNeverExceededAndAllMessagesArrive(String channel) {
        String topic = channel + "/rated";
        List<String> ids = new ArrayList<>();
        for (int bucket = 0; bucket < MemoryQueue.BUCKETS; bucket++) {
            ids.addAll(ready(bucket, topic, 5));
        }
        await().until(() -> {
            sent.forEach(one -> one.fate.complete(Delivery.DELIVERED));
            return sent.size() == ids.size();
        });
        long seen = 0;
        for (Sent one : sent) {
            double seconds = (double) (one.atNanos - begunNanos) / TimeUnit.SECONDS.toNanos(1);
            assertThat((double) ++seen).isLessThanOrEqualTo(RATE * seconds);
        }
        await().until(() -> ids.stream().allMatch(id -> queue.status(id) == FINISH));
    }

    @ParameterizedTest
    @ValueSource(strings = {"blocking", "async"})
    void messagesBeyondTheConcurrencyWaitInTheirReadyList(String channel) {
        String topic = channel + "/narrow";
        List<String> ids = new ArrayList<>(ready(0, topic, 4));
        ids.addAll(ready(1, topic, 4));
        await().until(() -> sent.size() == 3);
        await().during(100, TimeUnit.MILLISECONDS).until(() -> sent.size() == 3);
        assertThat(ids.stream().filter(id -> queue.location(id) == Location.READY))
                .hasSize(5);
        assertThat(dispatcher.handover().except().names(10).orElseThrow()).containsExactly(topic);
        assertThat(registry.get("mykit.delay.topics.limited").gauge().value()).isEqualTo(1);
        ready(2, channel + "/free", 1);
        await().until(() -> sent.size() == 4);
        await().until(() -> {
            List<Sent> open =
                    sent.stream().filter(one -> !one.fate.isDone()).limit(1).toList();
            open.forEach(one -> one.fate.complete(Delivery.DELIVERED));
            assertThat(sent.stream()
                            .filter(one -> one.topic.equals(topic) && !one.fate.isDone())
                            .count())
                    .isLessThanOrEqualTo(3);
            return ids.stream().allMatch(id -> queue.status(id) == FINISH);
        });
    }

    @Test
    void handedMessagesBeyondTheLimitGoBackToTheirReadyList() {
        List<String> ids = due(0, "async/narrow", 4);
        ScanResult scan = buckets.get(0).moveDue(4, new Handover(List.of(), BATCH, LEASE));
        assertThat(scan.taken()).hasSize(4);
        dispatcher.accept(Map.of(0, scan.taken()), PulledTopics.NONE, System.nanoTime());
        await().until(() -> sent.size() == 3);
        assertThat(ids.stream().filter(id -> queue.location(id) == Location.READY))
                .hasSize(1);
        sent.forEach(one -> one.fate.complete(Delivery.failed("HTTP 500")));
        await().until(() -> sent.size() == 4);
    }

    private TopicLimits limits(String topic) {
        if (topic.endsWith("rated")) {
            return new TopicLimits(RATE, 0);
        }
        return topic.endsWith("narrow") ? new TopicLimits(0, 3) : TopicLimits.NONE;
    }

    private List<String> ready(int bucket, String topic, int count) {
        List<String> ids = due(bucket, topic, count);
        buckets.get(bucket).moveDue(count, new Handover(List.of(topic), BATCH, LEASE));
        dispatcher.offer(bucket, topic);
        return ids;
    }

    private List<String> due(int bucket, String topic, int count) {
        long now = queue.clock().millis();
        List<String> ids = queue.idsIn(bucket, count);
        for (String id : ids) {
            DelayMessage message = MessageBuilder.withId(id)
                    .topic(topic)
                    .body("body")
                    .created(now)
                    .build();
            queue.store().insert(List.of(new NewMessage(message, DELAY)));
            queue.index().schedule(List.of(message));
        }
        return ids;
    }

    private ChannelRoute route(String topic) {
        return new ChannelRoute(topic, topic.startsWith("async") ? new AnsweringLater() : new Blocking());
    }

    /** A message that a channel got. */
    private record Sent(String topic, long atNanos, CompletableFuture<Delivery> fate) {}

    private List<CompletableFuture<Delivery>> send(String topic, int count) {
        List<CompletableFuture<Delivery>> fates = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Sent one = new Sent(topic, System.nanoTime(), new CompletableFuture<>());
            fates.add(one.fate);
            sent.add(one);
        }
        return fates;
    }

    private class Blocking implements DeliveryChannel {
        @Override
        public List<Delivery> deliver(String topic, List<DelayMessage> batch) {
            return send(topic, batch.size()).stream()
                    .map(CompletableFuture::join)
                    .toList();
        }

        @Override
        public Health health() {
            return Health.up(Map.of());
        }

        @Override
        public void close() {}
    }

    private final class AnsweringLater extends Blocking implements AsyncDeliveryChannel {
        @Override
        public List<CompletableFuture<Delivery>> send(String topic, List<Outgoing> batch) {
            return LimitedDispatchTest.this.send(topic, batch.size());
        }
    }
}
