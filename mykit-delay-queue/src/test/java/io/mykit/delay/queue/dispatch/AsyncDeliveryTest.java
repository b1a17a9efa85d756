package io.mykit.delay.queue.dispatch;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.EXPIRED;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.channel.AsyncDeliveryChannel;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.config.TopicLimits;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.Pulled;
import io.mykit.delay.queue.bucket.PulledTopics;
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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages whose fates become known one by one. */
class AsyncDeliveryTest {
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final int BATCH = 2;
    private static final int MAX_IN_FLIGHT = 5;
    private static final String TOPIC = "t";

    private final MemoryQueue queue = new MemoryQueue(Duration.ZERO);
    private final MemoryMessageStore store = queue.store();
    private final AtomicBoolean confirmed = new AtomicBoolean(true);
    private final LeaderTerm term = new LeaderTerm(1, () -> {}, confirmed::get);
    private final AtomicLong frozenNanos = new AtomicLong();
    private final Pulse pulse = new Pulse(term, frozenNanos::get);
    private final DispatchMeters meters =
            new DispatchMeters(new SimpleMeterRegistry(), TopicMeters.none(new SimpleMeterRegistry()), List.of());
    private final LeaseClock leases = new LeaseClock(System::nanoTime, LEASE);
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
    private final Flights flights = new Flights(MAX_IN_FLIGHT, 1_000_000, new BodyBudget(Long.MAX_VALUE / 2));
    private final Receiver receiver = new Receiver();
    private final TopicPauses pauses =
            new TopicPauses(store.topics(), queue.index(), queue.clock(), List.of(), new SimpleMeterRegistry());
    private final RestingTopics resting =
            new RestingTopics(pauses, new DifferingTopics(Map.of(), "test", true), Pulled.of(PulledTopics.NONE));
    private final AsyncDelivery async =
            new AsyncDelivery(term, delivery, buckets, sending, flights, resting, pulse, leases, later);
    private final Dispatcher dispatcher = new Dispatcher(
            term,
            buckets,
            delivery,
            async,
            topic -> new ChannelRoute("receiver", receiver),
            topic -> TopicLimits.NONE,
            resting,
            new DispatchSettings(BATCH, LEASE, 4, Pulled.of(PulledTopics.NONE)),
            leases,
            backoff,
            later,
            meters);

    @BeforeEach
    void claim() {
        for (int bucket = 0; bucket < MemoryQueue.BUCKETS; bucket++) {
            buckets.claim(bucket);
        }
    }

    @AfterEach
    void close() {
        receiver.sent.values().forEach(sent -> sent.fate.complete(Delivery.DELIVERED));
        term.revoke();
        dispatcher.stop();
        dispatcher.close(Duration.ofSeconds(10));
        writer.close();
    }

    @Test
    void messageWithoutAFateHoldsUpNoOther() {
        List<String> ids = ready(0, 4);
        await().until(() -> receiver.sent.keySet().containsAll(ids));
        ids.subList(1, 4).forEach(id -> receiver.end(id, Delivery.DELIVERED));
        await().until(() -> ids.subList(1, 4).stream().allMatch(id -> store.status(id) == FINISH));
        assertThat(store.status(ids.get(0))).isEqualTo(DELAY);
        assertThat(queue.location(ids.get(0))).isEqualTo(Location.TAKEN);
        receiver.end(ids.get(0), Delivery.DELIVERED);
        await().until(() -> store.status(ids.get(0)) == FINISH);
        await().until(() -> queue.location(ids.get(0)) == null);
        assertThat(flights.open()).isEmpty();
    }

    @Test
    void topicWithTooManyInFlightTakesNoMore() {
        List<String> ids = ready(0, 10);
        await().until(() -> receiver.sent.size() >= MAX_IN_FLIGHT);
        await().during(100, TimeUnit.MILLISECONDS).until(() -> receiver.sent.size() <= MAX_IN_FLIGHT + 4 * BATCH);
        int before = receiver.sent.size();
        assertThat(before).isLessThan(ids.size() + 1);
        for (int landed = 0; landed < ids.size(); ) {
            for (String id : List.copyOf(receiver.sent.keySet())) {
                landed += receiver.end(id, Delivery.DELIVERED) ? 1 : 0;
            }
        }
        await().until(() -> ids.stream().allMatch(id -> store.status(id) == FINISH));
    }

    @Test
    void failedMessageAloneIsTriedAgain() {
        List<String> ids = ready(0, 2);
        await().until(() -> receiver.sent.keySet().containsAll(ids));
        receiver.end(ids.get(0), Delivery.failed("HTTP 500"));
        receiver.end(ids.get(1), Delivery.DELIVERED);
        await().until(() -> store.status(ids.get(1)) == FINISH);
        await().until(() -> queue.location(ids.get(0)) == Location.WAITING);
        assertThat(store.find(ids.get(0)).orElseThrow().attempts()).isEqualTo(1);
    }

    @Test
    void topicThatIsUnavailableIsProbedWithOneMessage() {
        List<String> ids = unavailable();
        await().until(() -> !receiver.sent.isEmpty());
        assertThat(receiver.lastBatch).isEqualTo(1);
        receiver.sent.values().forEach(sent -> sent.fate.complete(Delivery.DELIVERED));
        await().until(() -> {
            receiver.sent.values().forEach(sent -> sent.fate.complete(Delivery.DELIVERED));
            return ids.stream().allMatch(id -> store.status(id) == FINISH);
        });
    }

    /** Its receiver may need all the time that the channel gives it. */
    @Test
    void probeWithoutAFateHoldsUpNoOther() {
        List<String> ids = unavailable();
        await().until(() -> receiver.sent.keySet().containsAll(ids));
        ids.forEach(id -> receiver.end(id, Delivery.DELIVERED));
        await().until(() -> ids.stream().allMatch(id -> store.status(id) == FINISH));
    }

    @Test
    void stallOfThisNodeIsNoOutageOfTheTopic() {
        List<String> ids = ready(0, 1);
        await().until(() -> receiver.sent.keySet().containsAll(ids));
        Sent waiting = receiver.sent.remove(ids.get(0));
        confirmed.set(false);
        frozenNanos.set(Duration.ofSeconds(3).toNanos());
        assertThat(waiting.outgoing.mayBeSent().getAsBoolean()).isFalse();
        waiting.fate.complete(Delivery.unavailable("not sent"));
        await().until(() -> receiver.sent.keySet().containsAll(ids));
        assertThat(meters.backingOff().count()).isZero();
    }

    @Test
    void messageThatExpiresInTheChannelIsNotSentAndEnds() {
        String id = due(0, 1, 10).get(0);
        buckets.get(0).moveDue(1, new Handover(List.of(TOPIC), BATCH, LEASE));
        dispatcher.offer(0, TOPIC);
        await().until(() -> receiver.sent.containsKey(id));
        Sent waiting = receiver.sent.get(id);
        assertThat(waiting.outgoing.mayBeSent().getAsBoolean()).isTrue();
        queue.pass(Duration.ofSeconds(11));
        assertThat(waiting.outgoing.mayBeSent().getAsBoolean()).isFalse();
        waiting.fate.complete(Delivery.unavailable("not sent"));
        await().until(() -> store.status(id) == EXPIRED);
        assertThat(meters.backingOff().count()).isZero();
    }

    @Test
    void fatesThatCouldNotBeRecordedAreJudgedLater() {
        List<Leased> messages = List.of(leased("a"), leased("b"));
        Flight flight =
                new Flight(null, messages, new BatchOutcomes(0, Gate.Passage.unchecked(messages)), leases, null);
        messages.forEach(leased -> flight.landed(leased, Delivery.DELIVERED));
        assertThatThrownBy(() -> flight.judge((landed, outcomes) -> {
                    flight.landed(messages.subList(0, 1));
                    throw new OutOfMemoryError("a test, after a is recorded");
                }))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(flight.hasLanded()).isTrue();
        flight.judge((landed, outcomes) ->
                assertThat(landed).extracting(Flight.Landing::leased).containsExactly(messages.get(1)));
        assertThat(flight.hasLanded()).isFalse();
    }

    @Test
    void theEndOfTheTermGivesBackWhatTheChannelDoesNotSendYet() {
        List<String> ids = ready(0, 2);
        await().until(() -> receiver.sent.keySet().containsAll(ids));
        assertThat(receiver.sent.get(ids.get(0)).outgoing.mayBeSent().getAsBoolean())
                .isTrue();
        term.revoke();
        dispatcher.stop();
        assertThat(buckets.leaving().underWay())
                .as("the one that is being sent")
                .isEqualTo(1);
        buckets.leaving().leave(LEASE);
        queue.otherNode().claim(0, 2).release(TOPIC, ids, false);
        assertThat(queue.location(ids.get(0))).isEqualTo(Location.TAKEN);
        assertThat(queue.location(ids.get(1))).isEqualTo(Location.READY);
        assertThat(receiver.sent.get(ids.get(1)).outgoing.mayBeSent().getAsBoolean())
                .isFalse();

        receiver.end(ids.get(0), Delivery.DELIVERED);
        receiver.end(ids.get(1), Delivery.unavailable("the term is over"));
        await().until(() -> store.status(ids.get(0)) == FINISH);
        await().until(() -> queue.location(ids.get(0)) == null);
        assertThat(buckets.leaving().underWay()).isZero();
        assertThat(queue.location(ids.get(1))).isEqualTo(Location.READY);
    }

    private Leased leased(String id) {
        return new Leased(0, MessageBuilder.withId(id).topic(TOPIC).body("body").build(), leases.untilNanos());
    }

    @Test
    void mayNotBeSentAfterTheTerm() {
        List<String> ids = ready(0, 1);
        await().until(() -> receiver.sent.keySet().containsAll(ids));
        Outgoing outgoing = receiver.sent.get(ids.get(0)).outgoing;
        assertThat(outgoing.mayBeSent().getAsBoolean()).isTrue();
        assertThat(outgoing.attempt()).isEqualTo(1);
        term.revoke();
        assertThat(outgoing.mayBeSent().getAsBoolean()).isFalse();
    }

    @Test
    void mayNotBeSentWhileItsTopicIsPausedAndThatIsNoOutage() {
        List<String> ids = ready(0, 1);
        await().until(() -> receiver.sent.keySet().containsAll(ids));
        Sent waiting = receiver.sent.remove(ids.get(0));
        pauses.onChange(dispatcher::pauseChanged);
        pauses.pause(TOPIC, Optional.empty());
        assertThat(waiting.outgoing.mayBeSent().getAsBoolean()).isFalse();
        waiting.fate.complete(Delivery.unavailable("not sent").retryAfter(Duration.ofHours(1)));
        await().until(() -> queue.location(ids.get(0)) == Location.READY);
        assertThat(receiver.sent).isEmpty();
        pauses.resume(TOPIC);
        await().until(() -> receiver.sent.keySet().containsAll(ids));
        assertThat(receiver.sent.get(ids.get(0)).outgoing.mayBeSent().getAsBoolean())
                .isTrue();
    }

    @Test
    void thawedLeaderSendsNothingOfAQueueBeforeItsTermIsConfirmed() {
        List<String> ids = ready(0, 1);
        await().until(() -> receiver.sent.keySet().containsAll(ids));
        Sent waiting = receiver.sent.get(ids.get(0));
        assertThat(waiting.outgoing.mayBeSent().getAsBoolean()).isTrue();
        confirmed.set(false);
        pulse.runOnce();
        assertThat(waiting.outgoing.mayBeSent().getAsBoolean())
                .as("the registry is asked after a freeze only")
                .isTrue();
        frozenNanos.set(Duration.ofSeconds(3).toNanos());
        assertThat(waiting.outgoing.mayBeSent().getAsBoolean()).isFalse();
        pulse.runOnce();
        assertThat(waiting.outgoing.mayBeSent().getAsBoolean())
                .as("another node may lead")
                .isFalse();
        confirmed.set(true);
        pulse.runOnce();
        assertThat(waiting.outgoing.mayBeSent().getAsBoolean()).isTrue();
    }

    @Test
    void leaseLastsAsLongAsTheMessageIsInFlight() {
        List<String> ids = ready(0, 1);
        await().until(() -> receiver.sent.keySet().containsAll(ids));
        Flight flight = flights.open().get(0);
        flight.extended(
                List.copyOf(flight.open()),
                System.nanoTime() + LEASE.dividedBy(3).toNanos());
        queue.pass(LEASE.dividedBy(2));
        new LeaseExtender(flights, buckets, leases, LEASE).runOnce();
        assertThat(flight.open()).allMatch(leased -> leases.lasts(leased, LEASE.dividedBy(2)));
        queue.pass(LEASE.dividedBy(2).plusSeconds(1));
        assertThat(buckets.get(0).leased(queue.clock().millis(), 10))
                .as("leases that ended")
                .isEmpty();
    }

    /** Redis was silent for longer than a lease. The reaper, or the extender, is the first that reaches it again. */
    @Test
    void messageWhoseLeaseEndedInFlightIsTakenAgainAfterItsFateOnly() {
        List<String> ids = ready(0, 1);
        await().until(() -> receiver.sent.keySet().containsAll(ids));
        Sent first = receiver.sent.get(ids.get(0));
        queue.pass(LEASE.plusSeconds(1));
        LeaseReaper reaper = new LeaseReaper(queue.index(), buckets, dispatcher, flights, LEASE);
        reaper.runOnce();
        reaper.runOnce();
        assertThat(queue.location(ids.get(0))).isEqualTo(Location.TAKEN);
        assertThat(receiver.all).hasSize(1);
        first.fate.complete(Delivery.unavailable("not sent"));
        await().until(() -> receiver.all.size() == 2);
    }

    @Test
    void leaseThatEndedInFlightDoesNotComeAliveAgain() {
        List<String> ids = ready(0, 1);
        await().until(() -> receiver.sent.keySet().containsAll(ids));
        Sent waiting = receiver.sent.get(ids.get(0));
        Flight flight = flights.open().get(0);
        flight.extended(List.copyOf(flight.open()), System.nanoTime());
        assertThat(waiting.outgoing.mayBeSent().getAsBoolean()).isFalse();
        new LeaseExtender(flights, buckets, leases, LEASE).runOnce();
        assertThat(waiting.outgoing.mayBeSent().getAsBoolean())
                .as("it may have been given back, and its id be under another lease")
                .isFalse();
    }

    @Test
    void fatesAreRecordedAlsoIfNoThreadCanBeStarted() {
        String id = due(0, 1).get(0);
        DelayMessage taken = buckets.get(0)
                .moveDue(1, new Handover(List.of(), 1, LEASE))
                .taken()
                .get(0);
        Executor full = task -> {
            throw new OutOfMemoryError("unable to create native thread");
        };
        async.begin(
                receiver,
                new Outlet(receiver, meters.of("receiver"), TOPIC),
                delivery.admit(List.of(new Leased(0, taken, leases.untilNanos()))),
                false,
                full,
                new FlightListener(verdict -> {}, (verdict, released) -> {}));
        receiver.end(id, Delivery.DELIVERED);
        await().until(() -> store.status(id) == FINISH);
        assertThat(flights.open()).isEmpty();
    }

    @Test
    void messagesOfAFullReceiverStayInTheirReadyList() {
        receiver.places = 3;
        List<String> ids = ready(0, 20);
        await().until(() -> receiver.sent.size() == 3);
        await().during(100, TimeUnit.MILLISECONDS).until(() -> receiver.sent.size() == 3);
        assertThat(ids).filteredOn(id -> queue.location(id) == Location.READY).hasSize(17);
        assertThat(dispatcher.handover().except().contains(TOPIC)).isTrue();
        for (int ended = 0; ended < ids.size(); ) {
            assertThat(receiver.open()).isLessThanOrEqualTo(3);
            for (String id : List.copyOf(receiver.sent.keySet())) {
                ended += receiver.end(id, Delivery.DELIVERED) ? 1 : 0;
            }
        }
        await().until(() -> ids.stream().allMatch(id -> store.status(id) == FINISH));
        assertThat(ids).allSatisfy(id -> assertThat(store.flow(id)).hasSameSizeAs(store.flow(ids.get(0))));
    }

    /** Its messages were pushed when the receiver was full with those of another topic. */
    @Test
    void topicWithNothingInFlightAlwaysSendsOneMessage() {
        receiver.places = 0;
        List<String> ids = ready(0, 3);
        for (String id : ids) {
            await().until(() -> receiver.sent.containsKey(id));
            assertThat(receiver.open()).isEqualTo(1);
            receiver.end(id, Delivery.DELIVERED);
        }
        await().until(() -> ids.stream().allMatch(id -> store.status(id) == FINISH));
    }

    @Test
    void messageWithoutAPlaceWaitsInTheIndexAlone() {
        List<String> ids = ready(0, 2);
        await().until(() -> receiver.sent.keySet().containsAll(ids));
        int moves = store.moves();
        ids.forEach(id -> receiver.end(id, Delivery.full("no place").retryAfter(Duration.ofSeconds(30))));
        await().until(() -> ids.stream().allMatch(id -> queue.location(id) == Location.WAITING));
        assertThat(store.moves()).isEqualTo(moves);
        assertThat(buckets.get(0).moveDue(2, new Handover(List.of(), 2, LEASE)).moved())
                .isZero();
        queue.pass(Duration.ofSeconds(30));
        receiver.sent.clear();
        buckets.get(0).moveDue(2, new Handover(List.of(TOPIC), 2, LEASE));
        dispatcher.offer(0, TOPIC);
        await().until(() -> receiver.sent.keySet().containsAll(ids));
        ids.forEach(id -> receiver.end(id, Delivery.DELIVERED));
        await().until(() -> ids.stream().allMatch(id -> store.status(id) == FINISH));
        assertThat(store.find(ids.get(0)).orElseThrow().attempts()).isZero();
    }

    @Test
    void messageThatItsChannelTurnsAwayWaitsWithoutALookAtItsRow() {
        receiver.full = Delivery.full("no place").retryAfter(Duration.ofSeconds(30));
        List<String> ids = due(0, 3);
        store.goAway();
        buckets.get(0).moveDue(3, new Handover(List.of(TOPIC), BATCH, LEASE));
        dispatcher.offer(0, TOPIC);
        await().until(() -> ids.stream().allMatch(id -> queue.location(id) == Location.WAITING));
        assertThat(receiver.sent).isEmpty();
        // A look would have found that the store is away.
        assertThat(breaker.worthTrying()).isTrue();

        store.comeBack();
        receiver.full = null;
        queue.pass(Duration.ofSeconds(31));
        buckets.get(0).moveDue(3, new Handover(List.of(TOPIC), BATCH, LEASE));
        dispatcher.offer(0, TOPIC);
        await().until(() -> receiver.sent.keySet().containsAll(ids));
    }

    @Test
    void messageThatHasExpiredIsNotTurnedAway() {
        receiver.full = Delivery.full("no place").retryAfter(Duration.ofSeconds(30));
        List<String> ids = due(0, 1, 10);
        queue.pass(Duration.ofSeconds(11));
        buckets.get(0).moveDue(1, new Handover(List.of(TOPIC), BATCH, LEASE));
        dispatcher.offer(0, TOPIC);
        await().until(() -> store.status(ids.get(0)) == EXPIRED);
    }

    @Test
    void messagesThatWaitLongForAPlaceComeBackTogether() {
        List<String> ids = ready(0, 2);
        await().until(() -> receiver.sent.keySet().containsAll(ids));
        long nowMs = queue.clock().millis();
        receiver.end(ids.get(0), Delivery.full("no place").retryAfter(Duration.ofMillis(30_001 - nowMs % 100)));
        receiver.end(ids.get(1), Delivery.full("no place").retryAfter(Duration.ofMillis(30_099 - nowMs % 100)));
        await().until(() -> ids.stream().allMatch(id -> queue.location(id) == Location.WAITING));
        queue.pass(Duration.ofMillis(30_099 - nowMs % 100));
        assertThat(buckets.get(0).moveDue(2, new Handover(List.of(), 2, LEASE)).moved())
                .isZero();
        queue.pass(Duration.ofMillis(1));
        assertThat(buckets.get(0).moveDue(2, new Handover(List.of(), 2, LEASE)).moved())
                .isEqualTo(2);
    }

    /** Thousands of such messages leave the processors to other topics. */
    @Test
    void messagesWithoutAPlaceAreTriedNoFasterThanAThousandASecond() {
        receiver.fate = Delivery.full("no place").retryAfter(Duration.ofSeconds(30));
        long begunNanos = System.nanoTime();
        List<String> ids = ready(0, 200);
        await().atMost(Duration.ofMinutes(1))
                .until(() -> ids.stream().allMatch(id -> queue.location(id) == Location.WAITING));
        // The first batches began before the fate of any message was known, and the last one needs no rest after it.
        assertThat(System.nanoTime() - begunNanos).isGreaterThan((200 - 100) * FullPace.EACH_NANOS);
    }

    /** The topic is probed after an outage, and its backlog has expired meanwhile: the next batch is no probe. */
    @Test
    void batchOfExpiredMessagesSaysThatTheTopicCanBeUsed() {
        List<String> ids = due(0, 2, 10);
        List<DelayMessage> taken =
                buckets.get(0).moveDue(2, new Handover(List.of(), 2, LEASE)).taken();
        queue.pass(Duration.ofSeconds(11));
        AtomicReference<Verdict> ended = new AtomicReference<>();
        async.begin(
                receiver,
                new Outlet(receiver, meters.of("receiver"), TOPIC),
                delivery.admit(taken.stream()
                        .map(message -> new Leased(0, message, leases.untilNanos()))
                        .toList()),
                true,
                Runnable::run,
                new FlightListener(ended::set, (verdict, released) -> {}));
        assertThat(ended.get()).isEqualTo(Verdict.USABLE);
        await().until(() -> ids.stream().allMatch(id -> store.status(id) == EXPIRED));
    }

    /** Has two messages that the channel could not send. */
    private List<String> unavailable() {
        List<String> ids = ready(0, 2);
        await().until(() -> receiver.sent.keySet().containsAll(ids));
        receiver.sent.clear();
        List<Sent> first = List.copyOf(receiver.all);
        first.forEach(sent -> sent.fate.complete(Delivery.unavailable("no connection")));
        return ids;
    }

    private List<String> ready(int bucket, int count) {
        List<String> ids = due(bucket, count);
        buckets.get(bucket).moveDue(count, new Handover(List.of(TOPIC), BATCH, LEASE));
        dispatcher.offer(bucket, TOPIC);
        return ids;
    }

    private List<String> due(int bucket, int count) {
        return due(bucket, count, 0);
    }

    private List<String> due(int bucket, int count, int ttlSeconds) {
        long now = queue.clock().millis();
        List<String> ids = queue.idsIn(bucket, count);
        for (String id : ids) {
            DelayMessage message = MessageBuilder.withId(id)
                    .topic(TOPIC)
                    .body("body")
                    .created(now)
                    .ttl(ttlSeconds)
                    .build();
            store.insert(List.of(new NewMessage(message, DELAY)));
            queue.index().schedule(List.of(message));
        }
        return ids;
    }

    /** Takes every message, and lets the test decide its fate. */
    private static final class Receiver implements AsyncDeliveryChannel {
        private final Map<String, Sent> sent = new ConcurrentHashMap<>();
        private final Queue<Sent> all = new ConcurrentLinkedQueue<>();
        private volatile int lastBatch;
        private volatile int places = Integer.MAX_VALUE;
        /** Of all messages, at once; null = they wait for {@link #end}. */
        private volatile Delivery fate;

        /** Of all messages, before they are sent; null = there is a place. */
        private volatile Delivery full;

        @Override
        public Optional<Delivery> full(DelayMessage message) {
            return Optional.ofNullable(full);
        }

        @Override
        public int places(String topic) {
            return places == Integer.MAX_VALUE ? places : places - open();
        }

        int open() {
            return (int) all.stream().filter(one -> !one.fate.isDone()).count();
        }

        @Override
        public List<CompletableFuture<Delivery>> send(String topic, List<Outgoing> batch) {
            lastBatch = batch.size();
            return batch.stream()
                    .map(outgoing -> {
                        Sent one = new Sent(outgoing, new CompletableFuture<>());
                        all.add(one);
                        sent.put(outgoing.message().id(), one);
                        if (fate != null) {
                            one.fate.complete(fate);
                        }
                        return one.fate;
                    })
                    .toList();
        }

        boolean end(String id, Delivery fate) {
            return sent.get(id).fate.complete(fate);
        }

        @Override
        public Health health() {
            return Health.up(Map.of());
        }

        @Override
        public void close() {}
    }

    private record Sent(Outgoing outgoing, CompletableFuture<Delivery> fate) {}
}
