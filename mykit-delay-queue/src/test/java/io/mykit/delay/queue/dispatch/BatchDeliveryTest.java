package io.mykit.delay.queue.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.common.message.MessageResult;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.OwnedBuckets;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.metric.TopicMeters;
import io.mykit.delay.queue.schedule.Horizon;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.Transition;
import io.mykit.delay.queue.trace.SendSpans;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The steps between the check of the rows and the send. */
class BatchDeliveryTest {
    private static final Duration LEASE = Duration.ofMinutes(1);

    private final List<String> sent = new ArrayList<>();
    private Delivery fate = Delivery.DELIVERED;
    private final AtomicBoolean registryKnowsIt = new AtomicBoolean(true);
    private final LeaderTerm term = new LeaderTerm(1, () -> {}, registryKnowsIt::get);
    private final MemoryQueue queue = new MemoryQueue(Duration.ZERO);
    private final int bucket = queue.index().bucketOf("m");
    private final OwnedBuckets buckets = new OwnedBuckets(queue.index(), term);
    private final DispatchMeters meters =
            new DispatchMeters(new SimpleMeterRegistry(), TopicMeters.none(new SimpleMeterRegistry()), List.of());
    private long nanos;
    private final LeaseClock leases = new LeaseClock(() -> nanos, LEASE);
    /** How long each send takes. */
    private Duration send = Duration.ZERO;

    private final StoreBreaker breaker = new StoreBreaker(System::nanoTime, "Deliveries go on");
    private final MessageStore store = queue.store();
    private final OutcomeWriter writer =
            new OutcomeWriter(new OutcomeCommit(store, buckets, breaker, meters, DeadCopies.NONE), 2);
    private final DeliveryChannel channel = (DeliveryChannel) Proxy.newProxyInstance(
            DeliveryChannel.class.getClassLoader(),
            new Class<?>[] {DeliveryChannel.class},
            (proxy, method, arguments) -> {
                sent.add((String) arguments[0]);
                nanos += send.toNanos();
                return Collections.nCopies(((List<?>) arguments[1]).size(), fate);
            });
    private final BatchDelivery delivery = new BatchDelivery(
            term,
            store,
            queue.index(),
            buckets,
            queue.clock(),
            new Gate(store, breaker),
            new Sending(
                    queue.clock(),
                    new Backoff(Duration.ofMillis(1), Duration.ofMillis(2)),
                    Policies.ofAttempts(3),
                    new Horizon(Duration.ofHours(1)),
                    meters,
                    SendSpans.NONE),
            writer,
            leases);
    private DelayMessage message;

    @BeforeEach
    void take() {
        message = queue.push("m", 0);
        buckets.claim(bucket);
        Handover handover = new Handover(List.of(), 1, LEASE);
        assertThat(buckets.get(bucket).moveDue(1, handover).taken()).containsExactly(message);
    }

    @AfterEach
    void close() {
        writer.close();
    }

    @Test
    void sendsWhatWasLookedAtJustNow() {
        assertThat(delivery.deliver(new Outlet(channel, meters.of("c"), "t"), delivery.admit(taken(LEASE)))
                        .isUnavailable())
                .isFalse();
        assertThat(sent).hasSize(1);
    }

    /** The batch waited for a thread, or the process was frozen. */
    @Test
    void doesNotSendWhatCannotBeSentBeforeItsLeaseEnds() {
        assertThat(delivery.deliver(new Outlet(channel, meters.of("c"), "t"), delivery.admit(taken(LEASE.dividedBy(6))))
                        .isUnavailable())
                .isFalse();
        assertThat(sent).isEmpty();
        assertThat(buckets.isSuspect(bucket)).as("is given back").isTrue();
    }

    /** The reaper may have given it back, and another batch may have it. */
    @Test
    void leavesAMessageAloneWhoseLeaseHasEnded() {
        assertThat(delivery.deliver(new Outlet(channel, meters.of("c"), "t"), delivery.admit(taken(Duration.ZERO)))
                        .isUnavailable())
                .isFalse();
        assertThat(sent).isEmpty();
        assertThat(buckets.isSuspect(bucket)).isFalse();
        assertThat(queue.location("m")).isEqualTo(Location.TAKEN);
    }

    @Test
    void looksAtTheRowsAgainIfItWasHeldUpAfterIt() {
        BatchDelivery.Batch batch = heldUp(delivery.admit(taken(LEASE)));
        Transition.Step cancelled = new Transition.Step(MessageStatus.DELETE, 0);
        queue.store().move(List.of(new Transition("m", 0, MessageStatus.DELAY, List.of(cancelled), "test", 0)));
        assertThat(delivery.deliver(new Outlet(channel, meters.of("c"), "t"), batch)
                        .isUnavailable())
                .isFalse();
        assertThat(sent).isEmpty();
        assertThat(queue.location("m")).isNull();
    }

    @Test
    void sendsNothingIfItWasHeldUpAndLeadsNoMore() {
        BatchDelivery.Batch batch = heldUp(delivery.admit(taken(LEASE)));
        registryKnowsIt.set(false);
        assertThat(delivery.deliver(new Outlet(channel, meters.of("c"), "t"), batch)
                        .why())
                .contains("leads");
        assertThat(sent).isEmpty();
        assertThat(queue.location("m")).isEqualTo(Location.TAKEN);
    }

    @Test
    void aResultIsRecordedWithTheEnd() {
        MessageResult result = new MessageResult("seven", false);
        fate = Delivery.delivered(result);
        delivery.deliver(new Outlet(channel, meters.of("c"), "t"), delivery.admit(taken(LEASE)));
        await().until(() -> queue.store().status("m") == MessageStatus.FINISH);
        assertThat(queue.store().result("m")).contains(result);
        assertThat(queue.store().flow("m")).last().satisfies(last -> assertThat(last.detail())
                .isEmpty());
    }

    @Test
    void aResultThatIsTooLargeIsNotKept() {
        fate = Delivery.delivered(new MessageResult("x".repeat(MessageLimits.MAX_RESULT_BYTES + 1), false));
        delivery.deliver(new Outlet(channel, meters.of("c"), "t"), delivery.admit(taken(LEASE)));
        await().until(() -> queue.store().status("m") == MessageStatus.FINISH);
        assertThat(queue.store().result("m")).isEmpty();
        assertThat(queue.store().flow("m")).last().satisfies(last -> assertThat(last.detail())
                .isEqualTo("the result is not kept: it is too large"));
    }

    @Test
    void aFailedAttemptMovesTheRowAndTheMessageInTheIndex() {
        fate = Delivery.failed("HTTP 503");
        delivery.deliver(new Outlet(channel, meters.of("c"), "t"), delivery.admit(taken(LEASE)));
        RowState row = queue.store().states(List.of("m")).get(0);
        assertThat(row.attempts()).isEqualTo(1);
        assertThat(row.dueTimeMs())
                .isBetween(queue.clock().millis() + 1, queue.clock().millis() + 10);
        assertThat(queue.location("m")).isEqualTo(Location.WAITING);
        assertThat(queue.store().find("m").orElseThrow().message()).isEqualTo(message.retriedAt(row.dueTimeMs()));
        assertThat(queue.store().flow("m")).last().satisfies(last -> assertThat(last.detail())
                .startsWith("HTTP 503; next at ")
                .endsWith("attempt 2 of 3"));
    }

    @Test
    void theReceiverMayAskForALongerGap() {
        fate = Delivery.failed("HTTP 503").retryAfter(Duration.ofMinutes(7));
        delivery.deliver(new Outlet(channel, meters.of("c"), "t"), delivery.admit(taken(LEASE)));
        assertThat(queue.store().states(List.of("m")).get(0).dueTimeMs())
                .isEqualTo(queue.clock().millis() + 420_000);
    }

    @Test
    void aMessageWhoseNextAttemptIsBeyondTheHorizonLeavesTheIndex() {
        fate = Delivery.failed("HTTP 503").retryAfter(Duration.ofHours(2));
        delivery.deliver(new Outlet(channel, meters.of("c"), "t"), delivery.admit(taken(LEASE)));
        assertThat(queue.store().status("m")).isEqualTo(MessageStatus.WAIT_PUT);
        assertThat(queue.location("m")).isNull();
    }

    @Test
    void withoutTheStoreItWaitsInTheIndexHoweverLong() {
        fate = Delivery.failed("HTTP 503").retryAfter(Duration.ofHours(2));
        BatchDelivery.Batch batch = delivery.admit(taken(LEASE));
        queue.store().goAway();
        delivery.deliver(new Outlet(channel, meters.of("c"), "t"), batch);
        assertThat(queue.location("m")).isEqualTo(Location.WAITING);
        assertThat(buckets.get(bucket).nextDue()).isEqualTo(queue.clock().millis() + 7_200_000);
    }

    /** A leader that recorded the retry ended before it told the index. */
    @Test
    void aMessageWhoseRowIsDueLaterWaitsUntilThen() {
        long laterMs = queue.clock().millis() + 60_000;
        List<Transition.Step> failed =
                List.of(new Transition.Step(MessageStatus.READY, 0), new Transition.Step(MessageStatus.DELAY, 0));
        RowState row = queue.store().states(List.of("m")).get(0);
        Transition retry = Transition.of(row, failed, "test", 1).retriedAt(laterMs);
        queue.store().move(List.of(retry));
        delivery.deliver(new Outlet(channel, meters.of("c"), "t"), delivery.admit(taken(LEASE)));
        assertThat(sent).isEmpty();
        assertThat(queue.location("m")).isEqualTo(Location.WAITING);
        assertThat(buckets.get(bucket).nextDue()).isEqualTo(laterMs);
    }

    @Test
    void aRetryOfARowThatChangedMeanwhileIsLookedAtAgainAtOnce() {
        fate = Delivery.failed("HTTP 503").retryAfter(Duration.ofMinutes(7));
        BatchDelivery.Batch batch = delivery.admit(taken(LEASE));
        Transition.Step replaced = new Transition.Step(MessageStatus.DELAY, 0);
        DelayMessage next = message.asVersion(1);
        queue.store().rewrite(next, new Transition("m", 0, MessageStatus.DELAY, List.of(replaced), "test", 0));
        delivery.deliver(new Outlet(channel, meters.of("c"), "t"), batch);
        assertThat(buckets.get(bucket).nextDue()).isEqualTo(message.dueTimeMs());
    }

    /** Nobody would look at a message in the ready list of a topic whose consumers are away. */
    @Test
    void aMessageThatEndedMeanwhileIsNotTriedAgain() {
        fate = Delivery.failed("the hold ended");
        BatchDelivery.Batch batch = delivery.admit(taken(LEASE));
        List<Transition.Step> acknowledged =
                List.of(new Transition.Step(MessageStatus.READY, 0), new Transition.Step(MessageStatus.FINISH, 0));
        queue.store().move(List.of(new Transition("m", 0, MessageStatus.DELAY, acknowledged, "test", 0)));
        delivery.deliver(new Outlet(channel, meters.of("c"), "t"), batch);
        assertThat(queue.location("m")).isNull();
        assertThat(queue.store().status("m")).isEqualTo(MessageStatus.FINISH);
    }

    /** A repeated push gives the row back to the loader if Redis refuses to schedule. */
    @Test
    void anOutcomeIsRecordedInARowThatTheLoaderGotMeanwhile() {
        BatchDelivery.Batch batch = delivery.admit(taken(LEASE));
        giveToLoader(0, 0);
        delivery.deliver(new Outlet(channel, meters.of("c"), "t"), batch);
        await().until(() -> queue.store().status("m") == MessageStatus.FINISH);
        await().until(() -> queue.location("m") == null);
        assertThat(buckets.get(bucket).parked(10)).isEmpty();
    }

    @Test
    void aRetryIsRecordedInARowThatTheLoaderGotMeanwhile() {
        fate = Delivery.failed("HTTP 503").retryAfter(Duration.ofMinutes(7));
        BatchDelivery.Batch batch = delivery.admit(taken(LEASE));
        giveToLoader(0, 0);
        delivery.deliver(new Outlet(channel, meters.of("c"), "t"), batch);
        RowState row = queue.store().states(List.of("m")).get(0);
        assertThat(row.attempts()).isEqualTo(1);
        assertThat(row.dueTimeMs()).isEqualTo(queue.clock().millis() + 420_000);
        assertThat(buckets.get(bucket).nextDue()).isEqualTo(row.dueTimeMs());
    }

    /** Otherwise the outcomes of the whole batch would stay under their leases. */
    @Test
    void anOutcomeThatTheDatabaseRefusesForAChangedRowIsParked() {
        BatchDelivery.Batch batch = delivery.admit(taken(LEASE));
        giveToLoader(0, 0);
        // The outcomes, the rows that changed, and the outcomes of these.
        AtomicInteger calls = new AtomicInteger();
        queue.store().before(() -> {
            if (calls.incrementAndGet() == 3) {
                throw new DelayException(ErrorCode.INTERNAL, "a defect");
            }
        });
        delivery.deliver(new Outlet(channel, meters.of("c"), "t"), batch);
        await().until(() -> queue.location("m") == Location.PARKED);
        assertThat(calls).hasValue(3);
    }

    /** Its COMMIT was in doubt. The message keeps its gap. */
    @Test
    void aRetryThatTheRowHasAlreadyIsNotRecordedAgain() {
        fate = Delivery.failed("HTTP 503").retryAfter(Duration.ofMinutes(7));
        BatchDelivery.Batch batch = delivery.admit(taken(LEASE));
        giveToLoader(1, queue.clock().millis() + 420_000);
        int moves = queue.store().flow("m").size();
        delivery.deliver(new Outlet(channel, meters.of("c"), "t"), batch);
        assertThat(queue.store().flow("m")).hasSize(moves);
        assertThat(buckets.get(bucket).nextDue()).isEqualTo(queue.clock().millis() + 420_000);
    }

    private void giveToLoader(int attempts, long retryMs) {
        List<Transition.Step> steps = List.of(new Transition.Step(MessageStatus.WAIT_PUT, 0));
        RowState row = queue.store().states(List.of("m")).get(0);
        Transition given = Transition.of(row, steps, "test", attempts).retriedAt(retryMs);
        assertThat(queue.store().move(List.of(given))).isEmpty();
    }

    /** A consumer refused the message just before its hold ended, and gave the time of the next attempt. */
    @Test
    void anAttemptThatWasCountedMeanwhileIsNotCountedAgainAndKeepsItsGap() {
        fate = Delivery.failed("the hold ended");
        BatchDelivery.Batch batch = delivery.admit(taken(LEASE));
        long laterMs = queue.clock().millis() + 3_600_000;
        RowState row = queue.store().states(List.of("m")).get(0);
        Transition.Step refused = new Transition.Step(MessageStatus.DELAY, 0);
        queue.store()
                .move(List.of(Transition.ofAttempt(row, 0, refused, "pull", 1).retriedAt(laterMs)));
        delivery.deliver(new Outlet(channel, meters.of("c"), "t"), batch);
        RowState after = queue.store().states(List.of("m")).get(0);
        assertThat(after.attempts()).isEqualTo(1);
        assertThat(after.dueTimeMs()).isEqualTo(laterMs);
    }

    /** It waits in the store until it is near. */
    @Test
    void theCurrentVersionOfACopyIsNotScheduledIfItBelongsIntoTheStore() {
        DelayMessage next = message.dueAt(queue.clock().millis() + 7_200_000).asVersion(1);
        Transition.Step replaced = new Transition.Step(MessageStatus.WAIT_PUT, 0);
        queue.store().rewrite(next, new Transition("m", 0, MessageStatus.DELAY, List.of(replaced), "test", 0));
        delivery.deliver(new Outlet(channel, meters.of("c"), "t"), delivery.admit(taken(LEASE)));
        assertThat(sent).isEmpty();
        assertThat(queue.location("m")).isNull();
    }

    @Test
    void withoutTheStoreEverythingPasses() {
        queue.store().goAway();
        assertThat(delivery.deliver(new Outlet(channel, meters.of("c"), "t"), delivery.admit(taken(LEASE)))
                        .isUnavailable())
                .isFalse();
        assertThat(sent).hasSize(1);
    }

    @Test
    void withoutTheStoreNothingPassesFromABucketThatCameBackOlder() {
        buckets.get(bucket).markRestored();
        queue.buckets().restartServer();
        buckets.claim(bucket);
        queue.store().goAway();
        assertThat(delivery.deliver(new Outlet(channel, meters.of("c"), "t"), delivery.admit(taken(LEASE)))
                        .why())
                .contains("older");
        assertThat(sent).isEmpty();
        assertThat(queue.location("m")).isEqualTo(Location.READY);
        int claims = buckets.claims(bucket);
        buckets.compared(bucket, claims);
        assertThat(buckets.take(List.of(bucket), "t", 1, LEASE)).hasSize(1);
        assertThat(delivery.deliver(new Outlet(channel, meters.of("c"), "t"), delivery.admit(taken(LEASE)))
                        .why())
                .as("it comes from the ready list")
                .contains("older");
        assertThat(sent).isEmpty();
        assertThat(buckets.drained(bucket, claims)).isFalse();
    }

    /** It may have been settled, or have been delivered before. */
    @Test
    void withoutTheStoreNothingPassesThatWasGivenBackAfterALostAnswer() {
        buckets.abandon(Map.of(bucket, List.of("m")));
        buckets.claim(bucket);
        assertThat(buckets.take(List.of(bucket), "t", 1, LEASE)).hasSize(1);
        queue.store().goAway();
        assertThat(delivery.deliver(new Outlet(channel, meters.of("c"), "t"), delivery.admit(taken(LEASE)))
                        .why())
                .contains("an answer of Redis was lost");
        assertThat(sent).isEmpty();
        assertThat(queue.location("m")).isEqualTo(Location.READY);
    }

    @Test
    void aSuspectIsLookedAtAgainIfTheSendOfTheOthersTookLong() {
        BatchDelivery.Batch batch = delivery.admit(suspectAndOther());
        Transition.Step cancelled = new Transition.Step(MessageStatus.DELETE, 0);
        RowState row = queue.store().states(List.of("m")).get(0);
        queue.store().move(List.of(Transition.of(row, List.of(cancelled), "test")));
        send = Duration.ofSeconds(2);
        delivery.deliver(new Outlet(channel, meters.of("c"), "t"), batch);
        assertThat(sent).as("the other one").hasSize(1);
        assertThat(queue.location("m")).isNull();
    }

    @Test
    void aSuspectIsNotSentIfItsLeaseMayEndMeanwhile() {
        BatchDelivery.Batch batch = delivery.admit(suspectAndOther());
        send = LEASE.multipliedBy(9).dividedBy(10);
        delivery.deliver(new Outlet(channel, meters.of("c"), "t"), batch);
        assertThat(sent).as("the other one").hasSize(1);
        assertThat(buckets.isSuspect(bucket)).as("is given back").isTrue();
    }

    @Test
    void aSuspectIsSentAfterASlowSendIfItMayStillBeSent() {
        BatchDelivery.Batch batch = delivery.admit(suspectAndOther());
        send = Duration.ofSeconds(2);
        delivery.deliver(new Outlet(channel, meters.of("c"), "t"), batch);
        assertThat(sent).hasSize(2);
        await().until(() -> queue.store().status("m") == MessageStatus.FINISH);
    }

    /** The message of the test as one that failed alone, and another one of its bucket. */
    private List<Leased> suspectAndOther() {
        fate = Delivery.unclear("no answer");
        delivery.deliver(new Outlet(channel, meters.of("c"), "t"), delivery.admit(taken(LEASE)));
        assertThat(queue.location("m")).isEqualTo(Location.WAITING);
        fate = Delivery.DELIVERED;
        sent.clear();
        queue.pass(Duration.ofSeconds(1));
        String other = queue.idsIn(bucket, 2).stream()
                .filter(id -> !id.equals("m"))
                .findFirst()
                .orElseThrow();
        queue.push(other, 0);
        List<DelayMessage> both = buckets.get(bucket)
                .moveDue(2, new Handover(List.of(), 2, LEASE))
                .taken();
        assertThat(both).hasSize(2);
        return both.stream()
                .map(one -> new Leased(bucket, one, leases.untilNanos()))
                .toList();
    }

    private static BatchDelivery.Batch heldUp(BatchDelivery.Batch batch) {
        long before = batch.lookedNanos() - Duration.ofSeconds(2).toNanos();
        return new BatchDelivery.Batch(batch.open(), batch.outcomes(), before, batch.heldBack());
    }

    private List<Leased> taken(Duration lease) {
        return List.of(new Leased(bucket, message, leases.nanos() + lease.toNanos()));
    }
}
