package io.mykit.delay.queue.dispatch;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
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
import io.mykit.delay.queue.memory.MemoryMessageStore;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.metric.TopicMeters;
import io.mykit.delay.queue.schedule.Horizon;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.topic.DifferingTopics;
import io.mykit.delay.queue.topic.TopicPauses;
import io.mykit.delay.queue.trace.SendSpans;
import io.mykit.delay.test.message.MessageBuilder;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** From the offer of a ready list to the row of a delivered message. */
class DispatcherTest {
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final int BATCH = 2;

    private final MemoryQueue queue = new MemoryQueue(Duration.ZERO);
    private final MemoryMessageStore store = queue.store();
    private final LeaderTerm term = new LeaderTerm(1, () -> {});
    private final DispatchMeters meters =
            new DispatchMeters(new SimpleMeterRegistry(), TopicMeters.none(new SimpleMeterRegistry()), List.of());
    private final AtomicLong passedNanos = new AtomicLong();
    private final LeaseClock leases = new LeaseClock(() -> System.nanoTime() + passedNanos.get(), LEASE);
    private final StoreBreaker breaker = new StoreBreaker(System::nanoTime, "Deliveries go on");
    private final Later later = new Later();
    private final OwnedBuckets buckets = new OwnedBuckets(queue.index(), term);
    private final OutcomeWriter writer =
            new OutcomeWriter(new OutcomeCommit(store, buckets, breaker, meters, DeadCopies.NONE), 2);
    private final Backoff backoff = new Backoff(Duration.ofMillis(1), Duration.ofMillis(2));
    private final Sending sending = new Sending(
            queue.clock(), backoff, Policies.ofAttempts(3), new Horizon(Duration.ofHours(1)), meters, SendSpans.NONE);
    private final BatchDelivery delivery = new BatchDelivery(
            term, store, queue.index(), buckets, queue.clock(), new Gate(store, breaker), sending, writer, leases);
    private final TopicPauses pauses =
            new TopicPauses(store.topics(), queue.index(), queue.clock(), List.of(), new SimpleMeterRegistry());
    private final DifferingTopics differing = new DifferingTopics(Map.of(), "test", true);
    /** The topics that consumers pull now. */
    private volatile PulledTopics rules = PulledTopics.NONE;

    private final Pulled pulled = new Pulled() {
        @Override
        public boolean contains(String topic) {
            return rules.contains(topic);
        }

        @Override
        public PulledTopics now() {
            return rules;
        }
    };
    private final RestingTopics resting = new RestingTopics(pauses, differing, pulled);
    private final Dispatcher dispatcher = new Dispatcher(
            term,
            buckets,
            delivery,
            new AsyncDelivery(
                    term,
                    delivery,
                    buckets,
                    sending,
                    new Flights(100, 1000, new BodyBudget(Long.MAX_VALUE / 2)),
                    resting,
                    new Pulse(term, System::nanoTime),
                    leases,
                    later),
            this::route,
            topic -> TopicLimits.NONE,
            resting,
            new DispatchSettings(BATCH, LEASE, 4, pulled),
            leases,
            backoff,
            later,
            meters);

    /** The ids of each batch that the channel got. */
    private final BlockingQueue<List<String>> sent = new LinkedBlockingQueue<>();
    /** Fates of the next batches; none = delivered. */
    private final Queue<Delivery> fates = new ConcurrentLinkedQueue<>();

    private final CountDownLatch release = new CountDownLatch(1);

    @BeforeEach
    void claim() {
        for (int bucket = 0; bucket < MemoryQueue.BUCKETS; bucket++) {
            buckets.claim(bucket);
        }
        pauses.onChange(dispatcher::pauseChanged);
        differing.onChange(dispatcher::differencesChanged);
    }

    @AfterEach
    void close() {
        release.countDown();
        term.revoke();
        dispatcher.stop();
        dispatcher.close(Duration.ofSeconds(10));
        writer.close();
    }

    @Test
    void messagesOfSeveralBucketsThatWereTakenTogetherShareABatch() throws Exception {
        List<String> ids = new ArrayList<>(due(2, "t", 1));
        ids.addAll(due(0, "t", 1));
        Map<Integer, List<DelayMessage>> taken = new HashMap<>();
        buckets.moveDue(List.of(0, 2), BATCH, new Handover(List.of(), BATCH, LEASE))
                .forEach(answer -> taken.put(answer.bucket(), answer.orThrow().taken()));
        dispatcher.accept(taken, PulledTopics.NONE, System.nanoTime());
        assertThat(nextBatch()).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void deliversTheMessagesOfAnOfferedListInOneBatch() throws Exception {
        List<String> ids = ready(0, "t", 2);
        dispatcher.offer(0, "t");
        assertThat(nextBatch()).containsExactlyInAnyOrderElementsOf(ids);
        close();
        assertThat(ids).allSatisfy(id -> {
            assertThat(store.status(id)).isEqualTo(FINISH);
            assertThat(queue.location(id)).isNull();
        });
    }

    @Test
    void backlogIsWorkedBatchByBatchUntilItsListIsEmpty() throws Exception {
        List<String> ids = ready(0, "t", 5);
        dispatcher.offer(0, "t");
        List<String> delivered = new ArrayList<>();
        while (delivered.size() < 5) {
            List<String> batch = nextBatch();
            assertThat(batch).hasSizeBetween(1, BATCH);
            delivered.addAll(batch);
        }
        assertThat(delivered).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void handedMessagesAreTriedAgainAfterTheBackoffOfTheirTopic() throws Exception {
        fates.add(Delivery.unavailable("broker away"));
        List<String> ids = hand(3, "t", 1);
        assertThat(nextBatch()).isEqualTo(ids);
        assertThat(nextBatch()).as("without an offer").isEqualTo(ids);
        close();
        assertThat(store.status(ids.get(0))).isEqualTo(FINISH);
    }

    @Test
    void aTopicThatBacksOffIsTriedAtOnceIfAnOperatorWantsIt() throws Exception {
        fates.add(Delivery.unavailable("broker away").retryAfter(Duration.ofHours(1)));
        List<String> ids = hand(3, "t", 1);
        assertThat(nextBatch()).isEqualTo(ids);
        await().until(() -> meters.backingOff().count() == 1);
        assertThat(sent.poll(50, TimeUnit.MILLISECONDS)).as("it rests").isNull();
        dispatcher.retry("t");
        assertThat(nextBatch()).isEqualTo(ids);
        close();
        assertThat(store.status(ids.get(0))).isEqualTo(FINISH);
    }

    @Test
    void topicWhoseChannelCannotBeOpenedIsTriedAgain() throws Exception {
        List<String> ids = ready(0, "unopened", 1);
        dispatcher.offer(0, "unopened");
        assertThat(nextBatch()).isEqualTo(ids);
    }

    @Test
    void topicThatIsStuckHoldsUpNoOther() throws Exception {
        List<String> stuck = ready(0, "stuck", 1);
        List<String> ids = ready(1, "t", 1);
        dispatcher.offer(0, "stuck");
        assertThat(nextBatch()).isEqualTo(stuck);
        dispatcher.offer(1, "t");
        assertThat(nextBatch()).isEqualTo(ids);
    }

    @Test
    void scansTakeNothingOfATopicThatHasEnough() throws Exception {
        ready(0, "stuck", 1);
        assertThat(busy()).isEmpty();
        dispatcher.offer(0, "stuck");
        nextBatch();
        assertThat(busy()).isEmpty();
        for (int bucket = 1; bucket <= 3; bucket++) {
            hand(bucket, "stuck", BATCH);
        }
        assertThat(busy()).containsExactly("stuck");
    }

    @Test
    void aPausedTopicRestsAndHoldsUpNoOther() throws Exception {
        pauses.pause("t", Optional.empty());
        assertThat(busy()).containsExactly("t");
        List<String> listed = ready(0, "t", 3);
        dispatcher.offer(0, "t");
        List<String> handed = hand(1, "t", 2);
        List<String> other = ready(2, "other", 1);
        dispatcher.offer(2, "other");
        assertThat(nextBatch()).isEqualTo(other);
        assertThat(handed).allSatisfy(id -> assertThat(queue.location(id)).isEqualTo(Location.READY));

        pauses.resume("t");
        List<String> delivered = new ArrayList<>();
        while (delivered.size() < 5) {
            delivered.addAll(nextBatch());
        }
        assertThat(delivered).containsAll(listed).containsAll(handed);
        await().until(() -> busy().isEmpty());
    }

    @Test
    void messagesThatWaitForABatchGoBackWhenTheirTopicIsPaused() throws Exception {
        List<String> first = ready(0, "stuck", 1);
        dispatcher.offer(0, "stuck");
        assertThat(nextBatch()).isEqualTo(first);
        List<String> ids = hand(2, "stuck", 1);
        assertThat(queue.location(ids.get(0))).isEqualTo(Location.TAKEN);
        pauses.pause("stuck", Optional.empty());
        release.countDown();
        await().until(() -> queue.location(ids.get(0)) == Location.READY);
        await().until(() -> store.status(first.get(0)) == FINISH);
        assertThat(sent).isEmpty();
        pauses.resume("stuck");
        assertThat(nextBatch()).isEqualTo(ids);
    }

    /** No consumer has missed them, so no attempt is counted. */
    @Test
    void messagesThatWereTakenToBeSentGoToConsumersWhenTheirTopicIsPulledAndComeBack() throws Exception {
        List<String> first = ready(0, "stuck", 1);
        dispatcher.offer(0, "stuck");
        assertThat(nextBatch()).isEqualTo(first);
        List<String> handed = hand(2, "stuck", 1);
        List<String> listed = ready(1, "stuck", 2);
        rules = PulledTopics.of(Map.of("stuck", true), false);
        dispatcher.channelChanged("stuck");
        release.countDown();
        await().until(() -> queue.location(handed.get(0)) == Location.READY);
        await().until(() -> store.status(first.get(0)) == FINISH);
        assertThat(listed).allSatisfy(id -> assertThat(queue.location(id)).isEqualTo(Location.READY));
        assertThat(sent).isEmpty();

        rules = PulledTopics.NONE;
        dispatcher.channelChanged("stuck");
        List<String> delivered = new ArrayList<>();
        while (delivered.size() < 3) {
            delivered.addAll(nextBatch());
        }
        assertThat(delivered).containsAll(listed).containsAll(handed);
    }

    @Test
    void aMessageWhoseHoldHasEndedGoesThePulledWay() throws Exception {
        rules = PulledTopics.of(Map.of("t", true), false);
        List<String> ids = due(3, "t", 1);
        ScanResult scan = buckets.get(3).moveDue(1, new Handover(List.of(), BATCH, LEASE));
        dispatcher.accept(Map.of(3, scan.taken()), rules, System.nanoTime());
        assertThat(nextBatch()).isEqualTo(ids);
    }

    @Test
    void aTopicThatAnotherNodeDeliversByAnotherChannelWaitsUntilTheNodesAgree() throws Exception {
        differing.see(Map.of("b", Map.of("newt", "pull", "shop/*", "pull")));
        List<String> listed = new ArrayList<>(ready(0, "newt", 2));
        listed.addAll(ready(3, "shop/1", 1));
        dispatcher.offer(0, "newt");
        dispatcher.offer(3, "shop/1");
        List<String> handed = hand(1, "newt", 1);
        List<String> other = ready(2, "other", 1);
        dispatcher.offer(2, "other");
        assertThat(nextBatch()).isEqualTo(other);
        assertThat(sent).isEmpty();
        assertThat(handed).allSatisfy(id -> assertThat(queue.location(id)).isEqualTo(Location.READY));
        assertThat(listed).allSatisfy(id -> assertThat(store.status(id)).isEqualTo(DELAY));

        differing.see(Map.of());
        List<String> delivered = new ArrayList<>();
        while (delivered.size() < 4) {
            delivered.addAll(nextBatch());
        }
        assertThat(delivered).containsAll(listed).containsAll(handed);
    }

    /** The reaper gave it back, and the batch for which it was handed over takes it once more. */
    @Test
    void messageWhoseLeaseEndsBeforeItsBatchIsTakenAnewAndKeepsThatLease() throws Exception {
        List<String> first = ready(0, "stuck", 1);
        dispatcher.offer(0, "stuck");
        assertThat(nextBatch()).isEqualTo(first);
        List<String> ids = hand(2, "stuck", 1);
        passedNanos.set(LEASE.plusSeconds(1).toNanos());
        queue.pass(LEASE.plusSeconds(1));
        LeaseReaper reaper = new LeaseReaper(
                queue.index(), buckets, dispatcher, new Flights(1, 1, new BodyBudget(Long.MAX_VALUE / 2)), LEASE);
        reaper.runOnce();
        reaper.runOnce();
        assertThat(queue.location(ids.get(0))).isEqualTo(Location.READY);
        release.countDown();
        await().until(() -> store.status(ids.get(0)) == FINISH);
        assertThat(buckets.isSuspect(2)).as("a known lease was dropped").isFalse();
        assertThat(sent.stream().filter(batch -> batch.containsAll(ids))).hasSize(1);
    }

    @Test
    void aPauseEndsByItsTime() throws Exception {
        pauses.pause("t", Optional.of(Duration.ofMinutes(1)));
        List<String> ids = ready(0, "t", 1);
        dispatcher.offer(0, "t");
        queue.pass(Duration.ofMinutes(1).minusMillis(1));
        Duration unused = pauses.runOnce();
        assertThat(busy()).containsExactly("t");
        assertThat(sent).isEmpty();
        queue.pass(Duration.ofMillis(1));
        unused = pauses.runOnce();
        assertThat(nextBatch()).isEqualTo(ids);
    }

    @Test
    void nothingBeginsAfterTheTerm() {
        List<String> ids = ready(0, "t", 1);
        term.revoke();
        dispatcher.offer(0, "t");
        dispatcher.stop();
        dispatcher.close(Duration.ofSeconds(10));
        assertThat(sent).isEmpty();
        assertThat(store.status(ids.get(0))).isEqualTo(DELAY);
    }

    @Test
    void whatWasHandedOverAfterTheTermIsGivenBack() {
        term.revoke();
        List<String> ids = hand(0, "t", 1);
        dispatcher.stop();
        assertThat(buckets.leaving().underWay()).isZero();
        assertThat(queue.location(ids.get(0))).isEqualTo(Location.READY);
        assertThat(sent).isEmpty();
    }

    /** The topics of which the scans take no message. */
    private Collection<String> busy() {
        return dispatcher.handover().except().names(10).orElseThrow();
    }

    private List<String> nextBatch() throws InterruptedException {
        List<String> batch = sent.poll(10, TimeUnit.SECONDS);
        assertThat(batch).as("a batch within ten seconds").isNotNull();
        return batch;
    }

    /** Has messages in the ready list of a topic, as a scanner that finds much due. */
    private List<String> ready(int bucket, String topic, int count) {
        List<String> ids = due(bucket, topic, count);
        buckets.get(bucket).moveDue(count, new Handover(List.of(topic), BATCH, LEASE));
        return ids;
    }

    /** Hands messages to the dispatcher, as a scanner that finds little due. */
    private List<String> hand(int bucket, String topic, int count) {
        List<String> ids = due(bucket, topic, count);
        ScanResult scan = buckets.get(bucket).moveDue(count, new Handover(List.of(), BATCH, LEASE));
        dispatcher.accept(Map.of(bucket, scan.taken()), PulledTopics.NONE, System.nanoTime());
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
            store.insert(List.of(new NewMessage(message, DELAY)));
            queue.index().schedule(List.of(message));
        }
        return ids;
    }

    private boolean failedToOpen;

    private ChannelRoute route(String topic) {
        if (topic.equals("unopened") && !failedToOpen) {
            failedToOpen = true;
            throw new IllegalStateException("no such broker");
        }
        return new ChannelRoute(rules.contains(topic) ? "pull" : topic, (DeliveryChannel) Proxy.newProxyInstance(
                DeliveryChannel.class.getClassLoader(),
                new Class<?>[] {DeliveryChannel.class},
                (proxy, method, arguments) ->
                        method.getName().equals("deliver") ? deliver(topic, (List<?>) arguments[1]) : null));
    }

    private List<Delivery> deliver(String topic, List<?> messages) throws InterruptedException {
        Delivery fate = fates.poll();
        sent.add(messages.stream().map(message -> ((DelayMessage) message).id()).toList());
        if (topic.equals("stuck")) {
            release.await();
        }
        return Collections.nCopies(messages.size(), fate == null ? Delivery.DELIVERED : fate);
    }
}
