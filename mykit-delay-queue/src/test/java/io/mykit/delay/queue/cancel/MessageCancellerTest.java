package io.mykit.delay.queue.cancel;

import static io.mykit.delay.queue.memory.MemoryQueue.TOPIC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.StatusFlow;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.Portion;
import io.mykit.delay.queue.bucket.PulledTopics;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.producer.CancelResult;
import io.mykit.delay.queue.store.StoreUnavailableException;
import io.mykit.delay.queue.store.Transition;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MessageCancellerTest {
    private static final long HOUR_MS = 3_600_000;

    private final MemoryQueue queue = new MemoryQueue(Duration.ofHours(1));
    private final MessageCanceller canceller =
            new MessageCanceller(queue.store(), queue.index(), queue.horizon(), queue.clock());

    @BeforeEach
    void lead() {
        queue.lead(1);
    }

    @Test
    void cancelsAWaitingMessageForGood() {
        queue.push("m", HOUR_MS);
        assertThat(canceller.cancel("m")).isEqualTo(CancelResult.CANCELLED);
        assertThat(queue.status("m")).isEqualTo(MessageStatus.DELETE);
        assertThat(queue.location("m")).isNull();
        assertThat(canceller.cancel("m")).isEqualTo(CancelResult.CANCELLED);
    }

    @Test
    void theFlowNamesTheCaller() {
        queue.push("m", HOUR_MS);
        assertThat(canceller.by("producer from 10.0.0.7").cancel("m")).isEqualTo(CancelResult.CANCELLED);
        assertThat(canceller.by("operator from 10.0.0.8").cancel("m")).isEqualTo(CancelResult.CANCELLED);
        assertThat(queue.store().flow("m"))
                .filteredOn(move -> move.to() == MessageStatus.DELETE)
                .extracting(StatusFlow::detail)
                .containsExactly("cancelled by producer from 10.0.0.7");
    }

    @Test
    void doesNotKnowAMessageThatWasNeverPushed() {
        assertThat(canceller.cancel("m")).isEqualTo(CancelResult.UNKNOWN);
    }

    @Test
    void cancelsADueMessageUntilItsDeliveryBegins() {
        OwnedBucket owner = makeReady("m");
        assertThat(canceller.cancel("m")).isEqualTo(CancelResult.CANCELLED);
        assertThat(queue.status("m")).isEqualTo(MessageStatus.DELETE);
        assertThat(queue.location("m")).isNull();
        assertThat(take(owner)).as("its entry in the ready list has no effect").isEmpty();
        assertThat(canceller.cancel("m")).isEqualTo(CancelResult.CANCELLED);

        OwnedBucket other = makeReady("taken");
        take(other);
        assertThat(canceller.cancel("taken")).isEqualTo(CancelResult.ALREADY_DISPATCHED);
        assertThat(queue.status("taken")).isEqualTo(MessageStatus.DELAY);
        assertThat(queue.location("taken")).isEqualTo(Location.TAKEN);
    }

    @Test
    void cancelsAMessageThatWasGivenBackUnsent() {
        OwnedBucket owner = makeReady("m");
        take(owner);
        owner.release(TOPIC, List.of("m"), false);
        assertThat(canceller.cancel("m")).isEqualTo(CancelResult.CANCELLED);
        assertThat(take(owner)).isEmpty();
    }

    /** The broker was killed during the send, or the leader was. */
    @Test
    void saysThatAnAttemptMayHaveArrived() {
        OwnedBucket owner = makeReady("m");
        take(owner);
        owner.release(TOPIC, List.of("m"), true);
        assertThat(canceller.cancel("m")).isEqualTo(CancelResult.CANCELLED_AFTER_ATTEMPT);
        assertThat(queue.status("m")).isEqualTo(MessageStatus.DELETE);
        assertThat(take(owner)).isEmpty();
        assertThat(canceller.cancel("m")).as("again").isEqualTo(CancelResult.CANCELLED_AFTER_ATTEMPT);
    }

    @Test
    void saysBetweenTwoAttemptsThatTheFirstMayHaveArrived() {
        for (boolean sent : List.of(true, false)) {
            String id = "sent-" + sent;
            OwnedBucket owner = makeReady(id);
            DelayMessage taken = take(owner).get(0);
            Set<String> attempted = sent ? Set.of(id) : Set.of();
            owner.postpone(List.of(taken.retriedAt(queue.clock().millis() + 60_000)), attempted);
            assertThat(canceller.cancel(id))
                    .isEqualTo(sent ? CancelResult.CANCELLED_AFTER_ATTEMPT : CancelResult.CANCELLED);
        }
    }

    /** What was attempted stays known if the message is put back, because the database is away. */
    @Test
    void remembersAnAttemptOfAMessageThatItPutsBack() {
        OwnedBucket owner = makeReady("m");
        take(owner);
        owner.release(TOPIC, List.of("m"), true);
        queue.store().goAway();
        assertThatThrownBy(() -> canceller.cancel("m")).isInstanceOf(StoreUnavailableException.class);
        queue.store().comeBack();
        assertThat(queue.location("m")).isEqualTo(Location.WAITING);
        assertThat(canceller.cancel("m")).isEqualTo(CancelResult.CANCELLED_AFTER_ATTEMPT);
    }

    /** Without its lease, a message in delivery looks like a ready one. The next claim registers the leases again. */
    @Test
    void comesTooLateForADueMessageWhoseBucketHasLostItsLeases() {
        OwnedBucket owner = makeReady("m");
        take(owner);
        queue.buckets().loseLeases(owner.bucket());
        assertThat(canceller.cancel("m")).isEqualTo(CancelResult.ALREADY_DISPATCHED);
        assertThat(owner.strays().leasesLost()).isTrue();
        owner.retake(List.of(), Duration.ofMinutes(1));
        assertThat(canceller.cancel("m")).as("no batch has it").isEqualTo(CancelResult.CANCELLED);
    }

    private OwnedBucket makeReady(String id) {
        queue.push(id, 0);
        OwnedBucket owner = queue.index().claim(queue.index().bucketOf(id), 1);
        owner.moveDue(10, Handover.NONE);
        return owner;
    }

    private List<DelayMessage> take(OwnedBucket owner) {
        return queue.index()
                .take(List.of(owner), TOPIC, 10, Duration.ofMinutes(1))
                .get(0)
                .messages();
    }

    @Test
    void cancelsADueMessageOfAPulledTopicUntilAConsumerHasIt() {
        PulledTopics pulled = PulledTopics.of(Map.of(TOPIC, true), false);
        for (String id : List.of("held", "m")) {
            queue.push(id, 0);
            OwnedBucket owner = queue.index().claim(queue.index().bucketOf(id), 1);
            owner.moveDue(10, new Handover(List.of(), 10, Duration.ofMinutes(1), pulled));
            if (id.equals("held")) {
                queue.index()
                        .holds()
                        .handOut(
                                List.of(owner.bucket()),
                                TOPIC,
                                new Portion(10, 1000, true),
                                Duration.ofMinutes(1),
                                "receipt");
            }
        }
        assertThat(canceller.cancel("held")).isEqualTo(CancelResult.ALREADY_DISPATCHED);
        assertThat(queue.status("held")).isEqualTo(MessageStatus.DELAY);
        assertThat(canceller.cancel("m")).isEqualTo(CancelResult.CANCELLED);
        assertThat(queue.status("m")).isEqualTo(MessageStatus.DELETE);
        assertThat(queue.location("m")).isNull();
    }

    /** A producer repeats its push while the row is not changed yet, and a consumer pulls. */
    @Test
    void keepsAMessageOutThatItTookOutOfAReadyList() {
        PulledTopics pulled = PulledTopics.of(Map.of(TOPIC, true), false);
        Handover scan = new Handover(List.of(), 10, Duration.ofMinutes(1), pulled);
        DelayMessage message = queue.push("m", 0);
        OwnedBucket owner = queue.index().claim(queue.index().bucketOf("m"), 1);
        owner.moveDue(10, scan);
        // The state of the row, and its change.
        beforeTransaction(2, () -> {
            queue.index().schedule(List.of(message));
            owner.moveDue(10, scan);
            queue.index()
                    .holds()
                    .handOut(
                            List.of(owner.bucket()),
                            TOPIC,
                            new Portion(10, 1000, true),
                            Duration.ofMinutes(1),
                            "receipt");
        });
        assertThat(canceller.cancel("m")).isEqualTo(CancelResult.CANCELLED);
        assertThat(queue.location("m")).isNull();

        queue.push("back", 0);
        OwnedBucket other = queue.index().claim(queue.index().bucketOf("back"), 1);
        other.moveDue(10, scan);
        beforeTransaction(2, queue.store()::goAway);
        assertThatThrownBy(() -> canceller.cancel("back")).isInstanceOf(StoreUnavailableException.class);
        assertThat(queue.location("back")).as("nothing was changed").isEqualTo(Location.WAITING);
    }

    /** A lost key of the bucket makes an orphan of it: it is in the pool and in no place, like one that is ready. */
    @Test
    void cancelsAnOrphanThatIsNotDue() {
        queue.push("m", HOUR_MS);
        queue.buckets().losePlaces(queue.index().bucketOf("m"));
        assertThat(canceller.cancel("m")).isEqualTo(CancelResult.CANCELLED);
        assertThat(queue.status("m")).isEqualTo(MessageStatus.DELETE);
        assertThat(queue.location("m")).isNull();
    }

    /** A failover forgets the removal, and the gate looks at the row before it changes. */
    @Test
    void doesNotSayThatAMessageIsCancelledWhichADeliveryTookBeforeTheRowChanged() {
        DelayMessage message = queue.push("m", 1_000);
        OwnedBucket owner = queue.index().claim(queue.index().bucketOf("m"), 1);
        beforeTransaction(2, () -> {
            queue.index().lift(message.ref());
            queue.index().schedule(List.of(message));
            queue.pass(Duration.ofSeconds(2));
            owner.moveDue(10, new Handover(List.of(), 1, Duration.ofMinutes(1)));
        });
        assertOutcomeUnknown();
        assertThat(queue.location("m")).isEqualTo(Location.TAKEN);
        assertOutcomeUnknown();
        owner.settle(List.of("m"));
        assertThat(canceller.cancel("m")).as("the gate dropped it").isEqualTo(CancelResult.CANCELLED);
    }

    /** The same, and the delivery has ended before this node asks the index. */
    @Test
    void doesNotSayThatAMessageIsCancelledWhichWasDeliveredBeforeTheRowChanged() {
        DelayMessage message = queue.push("m", 1_000);
        OwnedBucket owner = queue.index().claim(queue.index().bucketOf("m"), 1);
        beforeTransaction(2, () -> {
            queue.index().lift(message.ref());
            queue.index().schedule(List.of(message));
            queue.pass(Duration.ofSeconds(2));
            owner.moveDue(10, new Handover(List.of(), 1, Duration.ofMinutes(1)));
        });
        InstantSource afterTheCommit = () -> {
            if (queue.status("m") == MessageStatus.DELETE) {
                recordDelivered("m");
                owner.settle(List.of("m"));
            }
            return queue.clock().instant();
        };
        MessageCanceller slow = new MessageCanceller(queue.store(), queue.index(), queue.horizon(), afterTheCommit);
        assertThat(slow.cancel("m")).isEqualTo(CancelResult.ALREADY_DISPATCHED);
    }

    @Test
    void doesNotSayThatADueMessageIsCancelledRightAfterAFailover() {
        queue.push("m", 1000);
        queue.buckets().setSteady(false);
        // The read of the row; the message falls due before the commit.
        beforeTransaction(1, () -> queue.pass(Duration.ofSeconds(1)));
        assertOutcomeUnknown();
        assertOutcomeUnknown();
        queue.buckets().setSteady(true);
        assertThat(canceller.cancel("m")).isEqualTo(CancelResult.CANCELLED);
    }

    /**
     * The clock of the new master is behind. The leader still uses the master before, where the message is due, and the gate looks at the
     * row before it changes.
     */
    @Test
    void doesNotSayThatAMessageIsCancelledWhichIsDueOnTheMasterBefore() {
        queue.push("m", 30_000);
        queue.push("far", HOUR_MS);
        queue.buckets().setSteady(false);
        queue.buckets().setAheadElsewhere(Duration.ofSeconds(40));
        assertThat(canceller.cancel("far")).isEqualTo(CancelResult.CANCELLED);
        assertOutcomeUnknown();
        assertOutcomeUnknown();
        recordDelivered("m");
        assertThat(canceller.cancel("m")).isEqualTo(CancelResult.ALREADY_DISPATCHED);
    }

    /** A restore scheduled a message again that is in delivery, before the leader registered its lease. */
    @Test
    void doesNotSayThatADueMessageIsCancelledRightAfterARestartOfRedis() {
        queue.push("m", 0);
        queue.buckets().setSteady(false);
        assertOutcomeUnknown();
        queue.buckets().setSteady(true);
        assertThat(canceller.cancel("m")).isEqualTo(CancelResult.CANCELLED);
    }

    @Test
    void doesNotSayThatADueMessageIsCancelledWhileTheIndexIsAway() {
        queue.push("m", 1_000);
        beforeTransaction(2, () -> {
            queue.pass(Duration.ofSeconds(2));
            queue.buckets().silence(0, 1, 2, 3);
        });
        assertOutcomeUnknown();
        assertThatThrownBy(() -> canceller.cancel("m")).isInstanceOf(IndexUnavailableException.class);
        queue.buckets().silence();
        assertThat(canceller.cancel("m")).isEqualTo(CancelResult.CANCELLED);
    }

    @Test
    void tellsDeliveredExpiredAndDeadMessagesApart() {
        end("delivered", MessageStatus.FINISH);
        end("expired", MessageStatus.EXPIRED);
        end("dead", MessageStatus.FAILED);
        assertThat(canceller.cancel("delivered")).isEqualTo(CancelResult.ALREADY_DISPATCHED);
        assertThat(canceller.cancel("expired")).isEqualTo(CancelResult.ALREADY_FINISHED);
        assertThat(canceller.cancel("dead")).isEqualTo(CancelResult.ALREADY_FINISHED);
    }

    @Test
    void keepsOutAMessageWhosePushIsBetweenTheStoreAndTheIndex() {
        DelayMessage message = queue.insert("m", HOUR_MS, MessageStatus.DELAY);
        assertThat(canceller.cancel("m")).isEqualTo(CancelResult.CANCELLED);
        assertThat(queue.index().schedule(List.of(message))).containsExactly(ScheduleOutcome.VETOED);
    }

    @Test
    void leavesAnOverdueMessageThatTheIndexForgotToRecovery() {
        queue.insert("m", 0, MessageStatus.DELAY);
        assertThat(canceller.cancel("m")).isEqualTo(CancelResult.ALREADY_DISPATCHED);
        assertThat(queue.status("m")).isEqualTo(MessageStatus.DELAY);
    }

    /** The other call decides whether it is delivered: neither answer would be true. */
    @Test
    void doesNotSayThatADueMessageWhichAnotherCallTookOutIsDispatched() {
        queue.push("m", 1_000);
        queue.index().remove("m");
        queue.pass(Duration.ofSeconds(2));
        assertOutcomeUnknown();
        queue.pass(Duration.ofSeconds(20));
        assertThat(canceller.cancel("m")).as("the veto has ended").isEqualTo(CancelResult.ALREADY_DISPATCHED);
    }

    @Test
    void putsTheMessageBackIfTheStoreIsAway() {
        DelayMessage message = queue.push("m", HOUR_MS);
        queue.store().goAway();
        assertThatThrownBy(() -> canceller.cancel("m")).isInstanceOf(StoreUnavailableException.class);
        assertThat(queue.location("m")).isEqualTo(Location.WAITING);
        queue.store().comeBack();
        queue.index().purge(List.of(message.ref()));
        assertThat(queue.index().schedule(List.of(message)))
                .as("no veto is left")
                .containsExactly(ScheduleOutcome.SCHEDULED);
    }

    @Test
    void schedulesAVetoedMessageIfTheStoreGoesAway() {
        queue.insert("m", HOUR_MS, MessageStatus.DELAY);
        beforeTransaction(3, queue.store()::goAway);
        assertThatThrownBy(() -> canceller.cancel("m")).isInstanceOf(StoreUnavailableException.class);
        assertThat(queue.location("m")).isEqualTo(Location.WAITING);
    }

    @Test
    void looksAgainIfTheRowChangesInBetween() {
        queue.push("m", HOUR_MS);
        beforeTransaction(2, () -> end("m", MessageStatus.FINISH));
        assertThat(canceller.cancel("m")).isEqualTo(CancelResult.ALREADY_DISPATCHED);
        assertThat(queue.status("m")).isEqualTo(MessageStatus.FINISH);
        assertThat(queue.location("m")).as("a stale copy").isNull();
    }

    @Test
    void cancelsTheCurrentVersionIfTheIndexHasAnOlderOne() {
        DelayMessage old = queue.push("m", HOUR_MS);
        DelayMessage current = old.asVersion(1);
        Transition.Step replaced = new Transition.Step(MessageStatus.DELAY, 0);
        queue.store().rewrite(current, new Transition("m", 0, MessageStatus.DELAY, List.of(replaced), "test", 0));
        assertThat(canceller.cancel("m")).isEqualTo(CancelResult.CANCELLED);
        assertThat(queue.location("m")).isNull();
        assertThat(queue.index().schedule(List.of(current))).containsExactly(ScheduleOutcome.VETOED);
    }

    @Test
    void needsNoIndexForAMessageThatIsOnlyInTheStore() {
        queue.insert("far", HOUR_MS + 1, MessageStatus.WAIT_PUT);
        queue.push("near", HOUR_MS);
        queue.buckets().silence(0, 1, 2, 3);
        assertThat(canceller.cancel("far")).isEqualTo(CancelResult.CANCELLED);
        assertThatThrownBy(() -> canceller.cancel("near")).isInstanceOf(IndexUnavailableException.class);
        assertThat(queue.status("near")).isEqualTo(MessageStatus.DELAY);
    }

    @Test
    void doesNotCancelWithoutTheIndexIfAPushMayHaveScheduledTheMessage() {
        queue.insert("m", HOUR_MS, MessageStatus.WAIT_PUT);
        queue.buckets().silence(0, 1, 2, 3);
        assertThatThrownBy(() -> canceller.cancel("m")).isInstanceOf(IndexUnavailableException.class);
        assertThat(queue.status("m")).isEqualTo(MessageStatus.WAIT_PUT);
    }

    @Test
    void keepsOutAMessageWhoseSchedulingWasGivenUpAndIsStillOnItsWay() {
        DelayMessage message = queue.insert("m", HOUR_MS, MessageStatus.WAIT_PUT);
        assertThat(canceller.cancel("m")).isEqualTo(CancelResult.CANCELLED);
        assertThat(queue.index().schedule(List.of(message))).containsExactly(ScheduleOutcome.VETOED);
    }

    private void assertOutcomeUnknown() {
        assertThatThrownBy(() -> canceller.cancel("m"))
                .isInstanceOfSatisfying(
                        DelayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN));
    }

    /** The delivery of a cancelled message had begun before. */
    private void recordDelivered(String id) {
        Transition.Step delivered = new Transition.Step(MessageStatus.FINISH, 0);
        queue.store().move(List.of(new Transition(id, 0, MessageStatus.DELETE, List.of(delivered), "test", 0)));
    }

    private void end(String id, MessageStatus status) {
        if (queue.store().find(id).isEmpty()) {
            queue.insert(id, HOUR_MS, MessageStatus.DELAY);
        }
        List<Transition.Step> steps =
                List.of(new Transition.Step(MessageStatus.READY, 0), new Transition.Step(status, 0));
        queue.store().move(List.of(new Transition(id, 0, MessageStatus.DELAY, steps, "test", 0)));
    }

    /** Counted from 1. */
    private void beforeTransaction(int number, Runnable action) {
        AtomicInteger transactions = new AtomicInteger();
        queue.store().before(() -> {
            if (transactions.incrementAndGet() == number) {
                queue.store().before(() -> {});
                action.run();
            }
        });
    }
}
