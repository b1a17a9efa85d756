package io.mykit.delay.queue.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.queue.store.Transition;
import io.mykit.delay.test.message.ExtrasBuilder;
import io.mykit.delay.test.message.MessageBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReplacementTest {
    private static final long HOUR_MS = 3_600_000;
    private static final Handover TAKE = new Handover(List.of(), 10, Duration.ofMinutes(1));

    private final MemoryQueue queue = new MemoryQueue(Duration.ZERO);
    private final Replacement replacement =
            new Replacement(queue.store(), queue.index(), queue.scheduling(), queue.clock());

    @BeforeEach
    void lead() {
        queue.lead(1);
    }

    /** A lost key of the bucket makes an orphan of it: it is in the pool and in no place, like one that is ready. */
    @Test
    void replacesAnOrphanThatIsNotDue() {
        queue.push("m", HOUR_MS);
        queue.buckets().losePlaces(queue.index().bucketOf("m"));
        replace(queue.message("m", 2 * HOUR_MS));
        assertThat(stored().message().version()).isEqualTo(1);
        assertThat(queue.location("m")).isEqualTo(Location.WAITING);
    }

    @Test
    void replacesADueMessageUntilItsDeliveryBegins() {
        queue.push("m", 0);
        OwnedBucket owner = queue.index().claim(queue.index().bucketOf("m"), 1);
        owner.moveDue(10, Handover.NONE);
        replace(queue.message("m", 0));
        assertThat(stored().message().version()).isEqualTo(1);
        owner.moveDue(10, Handover.NONE);
        take(owner);
        assertThatThrownBy(() -> replace(queue.message("m", HOUR_MS)))
                .isInstanceOfSatisfying(
                        DelayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ALREADY_DISPATCHED));
        assertThat(queue.location("m")).isEqualTo(Location.TAKEN);
    }

    /** The receiver could show the old content after the answer. */
    @Test
    void comesTooLateForADueMessageWhoseAttemptMayHaveArrived() {
        queue.push("m", 0);
        OwnedBucket owner = queue.index().claim(queue.index().bucketOf("m"), 1);
        owner.moveDue(10, Handover.NONE);
        take(owner);
        owner.release(MemoryQueue.TOPIC, List.of("m"), true);
        assertThatThrownBy(() -> replace(queue.message("m", HOUR_MS)))
                .isInstanceOfSatisfying(
                        DelayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ALREADY_DISPATCHED));
        assertThat(stored().message().version()).isZero();
        assertThat(queue.location("m")).as("put back").isEqualTo(Location.WAITING);
    }

    private void take(OwnedBucket owner) {
        queue.index().take(List.of(owner), MemoryQueue.TOPIC, 10, Duration.ofMinutes(1));
    }

    /** The copy that waits may be a restored one of a message in delivery. */
    @Test
    void doesNotReplaceADueMessageRightAfterARestartOfRedis() {
        queue.push("m", 0);
        queue.buckets().setSteady(false);
        assertThatThrownBy(() -> replace(queue.message("m", HOUR_MS)))
                .isInstanceOfSatisfying(
                        DelayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN));
        assertThat(stored().message().version()).isZero();
        assertThat(queue.location("m")).isEqualTo(Location.WAITING);
        queue.buckets().setSteady(true);
        replace(queue.message("m", HOUR_MS));
        assertThat(stored().message().version()).isEqualTo(1);
    }

    /** Its leader has not registered the leases of messages in delivery there. */
    @Test
    void doesNotReplaceADueMessageOnARedisThatNoLeaderHasClaimed() {
        queue.push("m", 0);
        queue.buckets().restartServer();
        assertOutcomeUnknown(queue.message("m", HOUR_MS));
        assertThat(stored().message().version()).isZero();
        queue.lead(1);
        replace(queue.message("m", HOUR_MS));
        assertThat(stored().message().version()).isEqualTo(1);
    }

    /** The leader may still use the master before, whose clock may be ahead. */
    @Test
    void doesNotReplaceAMessageThatIsDueSoonRightAfterAFailover() {
        queue.push("m", 30_000);
        queue.buckets().setSteady(false);
        queue.buckets().setAheadElsewhere(Duration.ofSeconds(40));
        assertOutcomeUnknown(queue.message("m", HOUR_MS));
        assertThat(stored().message().version()).isZero();
        queue.buckets().setSteady(true);
        replace(queue.message("m", HOUR_MS));
        assertThat(stored().message().version()).isEqualTo(1);
    }

    @Test
    void replacesAMessageThatIsNotDueRightAfterARestartOfRedis() {
        queue.push("m", HOUR_MS);
        queue.buckets().setSteady(false);
        replace(queue.message("m", 2 * HOUR_MS));
        assertThat(stored().message().version()).isEqualTo(1);
    }

    /** A failover forgot the removal. The old version falls due, and the gate reads its row before the row changes. */
    @Test
    void doesNotSayThatAMessageIsReplacedWhoseDeliveryBeganBefore() {
        DelayMessage old = queue.push("m", 1_000);
        OwnedBucket bucket = queue.index().claim(queue.index().bucketOf("m"), 1);
        beforeTransaction(2, () -> {
            queue.index().putBack(old, false);
            queue.pass(Duration.ofSeconds(2));
            assertThat(bucket.moveDue(10, TAKE).taken()).containsExactly(old);
        });
        assertOutcomeUnknown(queue.message("m", HOUR_MS));
        assertThat(stored().message().version()).isEqualTo(1);
        assertOutcomeUnknown(queue.message("m", HOUR_MS));
        assertThat(stored().message().version())
                .as("the old version is in delivery")
                .isEqualTo(1);
        bucket.settle(List.of("m"));
        replace(queue.message("m", HOUR_MS));
        assertThat(queue.index().remove("m").message()).isEqualTo(stored().message());
    }

    @Test
    void doesNotSayThatAMessageIsReplacedWhichFellDueWhenTheIndexWentAway() {
        queue.push("m", 1_000);
        beforeTransaction(2, () -> {
            queue.pass(Duration.ofSeconds(2));
            queue.buckets().silence(0, 1, 2, 3);
        });
        assertOutcomeUnknown(queue.message("m", HOUR_MS));
        assertThat(stored().message().version()).isEqualTo(1);
        assertThat(stored().status()).isEqualTo(MessageStatus.WAIT_PUT);
    }

    @Test
    void replacesAMessageThatFallsDueMeanwhile() {
        queue.push("m", 1_000);
        beforeTransaction(2, () -> queue.pass(Duration.ofSeconds(2)));
        replace(queue.message("m", HOUR_MS));
        assertThat(queue.index().remove("m").message()).isEqualTo(stored().message());
    }

    /** The push of the row's version is between the store and the index. */
    @Test
    void keepsTheCurrentVersionOutIfTheIndexHasAnOlderOne() {
        DelayMessage current = queue.push("m", HOUR_MS).asVersion(1);
        Transition.Step step = new Transition.Step(MessageStatus.DELAY, 0);
        queue.store().rewrite(current, Transition.of(stored().state(), List.of(step), "test"));
        List<ScheduleOutcome> outcomes = new ArrayList<>();
        // Two reads of the row, and its change.
        beforeTransaction(3, () -> outcomes.addAll(queue.index().schedule(List.of(current))));
        replace(queue.message("m", 2 * HOUR_MS));
        assertThat(outcomes).containsExactly(ScheduleOutcome.VETOED);
        assertThat(stored().message().version()).isEqualTo(2);
        assertThat(queue.index().remove("m").message()).isEqualTo(stored().message());
    }

    /** Another replacement is faster. */
    @Test
    void readsTheRowAgainIfTheIndexHasALaterVersion() {
        DelayMessage first = queue.push("m", HOUR_MS);
        StoredMessage read = stored();
        replace(queue.message("m", 2 * HOUR_MS));
        replacement.replace(new Push(first.dueAt(first.dueTimeMs() + 2 * HOUR_MS), true), read);
        assertThat(stored().message().version()).isEqualTo(2);
        assertThat(queue.index().remove("m").message()).isEqualTo(stored().message());
    }

    /** A failover of the database lost the row's version. */
    @Test
    void replacesAMessageOfWhichTheIndexHasALaterVersionThanTheRow() {
        DelayMessage first = queue.push("m", HOUR_MS);
        queue.index().schedule(List.of(first.asVersion(1)));
        replace(queue.message("m", 2 * HOUR_MS));
        assertThat(stored().message().version()).isEqualTo(1);
        assertThat(queue.location("m")).as("the lost version is out").isNull();
        assertThat(stored().status()).isEqualTo(MessageStatus.WAIT_PUT);
    }

    /** The leader has written the outcome, and has not dropped the lease yet. */
    @Test
    void theNewMessageWaitsUntilTheIndexHasForgottenTheOldOne() {
        DelayMessage old = queue.push("m", 0);
        OwnedBucket bucket = queue.index().claim(queue.index().bucketOf("m"), 1);
        assertThat(bucket.moveDue(10, TAKE).taken()).containsExactly(old);
        deliver();
        List<Long> pauses = new ArrayList<>();
        Replacement patient =
                new Replacement(queue.store(), queue.index(), queue.scheduling(), queue.clock(), nanos -> {
                    pauses.add(nanos);
                    bucket.settle(List.of("m"));
                });
        assertThat(patient.replace(new Push(queue.message("m", HOUR_MS), true), stored()))
                .isEqualTo(PushResult.REPLACED);
        assertThat(pauses).hasSize(1);
        assertThat(queue.index().remove("m").message()).isEqualTo(stored().message());
    }

    /** A crashed leader has left the lease. The gate schedules the row's version when the lease is given back. */
    @Test
    void theNewMessageDoesNotWaitForALeaseThatStays() {
        queue.push("m", 0);
        OwnedBucket bucket = queue.index().claim(queue.index().bucketOf("m"), 1);
        bucket.moveDue(10, TAKE);
        deliver();
        List<Long> pauses = new ArrayList<>();
        Replacement patient =
                new Replacement(queue.store(), queue.index(), queue.scheduling(), queue.clock(), pauses::add);
        patient.replace(new Push(queue.message("m", HOUR_MS), true), stored());
        assertThat(pauses).hasSizeLessThan(100);
        assertThat(stored().message().version()).isEqualTo(1);
        assertThat(stored().status()).isEqualTo(MessageStatus.DELAY);
        assertThat(queue.location("m")).isEqualTo(Location.TAKEN);
    }

    @Test
    void aDeliveredMessageBeginsAgainWhileTheIndexIsAway() {
        queue.push("m", 0);
        deliver();
        queue.buckets().silence(0, 1, 2, 3);
        assertThat(replace(queue.message("m", HOUR_MS))).isEqualTo(PushResult.REPLACED);
        assertThat(stored().status()).isEqualTo(MessageStatus.WAIT_PUT);
    }

    /** The row was read while the message was in delivery. */
    @Test
    void beginsAMessageAgainWhoseDeliveryEndsMeanwhile() {
        DelayMessage old = queue.push("m", 0);
        OwnedBucket bucket = queue.index().claim(queue.index().bucketOf("m"), 1);
        assertThat(bucket.moveDue(10, TAKE).taken()).containsExactly(old);
        StoredMessage read = stored();
        deliver();
        bucket.settle(List.of("m"));
        assertThat(replacement.replace(new Push(queue.message("m", HOUR_MS), true), read))
                .isEqualTo(PushResult.REPLACED);
        assertThat(queue.location("m")).isEqualTo(Location.WAITING);
    }

    /** Another node has the first try of the same push. */
    @Test
    void aRepeatThatMeetsItsFirstTryChangesNothing() {
        queue.push("m", HOUR_MS);
        StoredMessage read = stored();
        assertThat(replace(keyed(queue.message("m", 2 * HOUR_MS)))).isEqualTo(PushResult.REPLACED);
        queue.pass(Duration.ofSeconds(1));
        Push again = new Push(keyed(queue.message("m", 2 * HOUR_MS)), true);
        assertThat(replacement.replace(again, read)).isEqualTo(PushResult.same(MessageStatus.DELAY));
        assertThat(stored().message().version()).isEqualTo(1);
    }

    /** The first try was due at once, and is in delivery. */
    @Test
    void aRepeatThatMeetsTheDeliveryOfItsFirstTryChangesNothing() {
        queue.push("m", HOUR_MS);
        StoredMessage read = stored();
        replace(keyed(queue.message("m", 0)));
        OwnedBucket bucket = queue.index().claim(queue.index().bucketOf("m"), 1);
        assertThat(bucket.moveDue(10, TAKE).taken()).hasSize(1);
        Push again = new Push(keyed(queue.message("m", 0)), true);
        assertThat(replacement.replace(again, read)).isEqualTo(PushResult.same(MessageStatus.DELAY));
        deliver();
        bucket.settle(List.of("m"));
        assertThat(replacement.replace(again, read)).isEqualTo(PushResult.same(MessageStatus.FINISH));
        assertThat(stored().message().version()).isEqualTo(1);
    }

    /** After its retention. Then a new message begins with its first version. */
    @Test
    void insertsTheMessageIfHousekeepingRemovesItsRowMeanwhile() {
        queue.push("m", 0);
        queue.index().purge(List.of(stored().message().ref()));
        deliver();
        StoredMessage read = stored();
        remove();
        assertThat(replacement.replace(new Push(queue.message("m", HOUR_MS), true), read))
                .isEqualTo(PushResult.ACCEPTED);
        assertThat(stored().message().version()).isZero();
        assertThat(queue.location("m")).isEqualTo(Location.WAITING);
    }

    /** The row was removed, and its id has been used on another topic since. */
    @Test
    void neverTakesOverTheMessageOfAnotherTopic() {
        queue.push("m", 0);
        queue.index().purge(List.of(stored().message().ref()));
        deliver();
        StoredMessage read = stored();
        remove();
        DelayMessage other = MessageBuilder.withId("m")
                .topic("other")
                .delay(HOUR_MS)
                .due(queue.clock().millis() + HOUR_MS)
                .build();
        queue.store().insert(List.of(new NewMessage(other, MessageStatus.DELAY)));
        assertThatThrownBy(() -> replacement.replace(new Push(queue.message("m", HOUR_MS), true), read))
                .isInstanceOfSatisfying(
                        DelayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ID_CONFLICT))
                .hasMessageContaining("topic other");
        assertThat(stored().message()).isEqualTo(other);
    }

    private void remove() {
        queue.pass(Duration.ofHours(1));
        assertThat(queue.store().remove(MessageStatus.FINISH, queue.clock().millis(), List.of("m")))
                .isEqualTo(1);
    }

    /** Counted from 1: the read of the row in {@link #replace}. */
    private void beforeTransaction(int number, Runnable action) {
        AtomicInteger transactions = new AtomicInteger();
        queue.store().before(() -> {
            if (transactions.incrementAndGet() == number) {
                queue.store().before(() -> {});
                action.run();
            }
        });
    }

    private void assertOutcomeUnknown(DelayMessage next) {
        assertThatThrownBy(() -> replace(next)).isInstanceOfSatisfying(DelayException.class, e -> assertThat(e.code())
                .isEqualTo(ErrorCode.OUTCOME_UNKNOWN));
    }

    private PushResult replace(DelayMessage next) {
        return replacement.replace(new Push(next, true), stored());
    }

    private static DelayMessage keyed(DelayMessage message) {
        return message.withExtras(ExtrasBuilder.extras().keys(List.of("key")).build());
    }

    /** The end of a delivery, in the row alone. */
    private void deliver() {
        Transition.Step done = new Transition.Step(MessageStatus.FINISH, 0);
        RowState row = stored().state();
        assertThat(queue.store().move(List.of(Transition.ofAttempt(row, 0, done, "test", 0))))
                .isEmpty();
    }

    private StoredMessage stored() {
        return queue.store().find("m").orElseThrow();
    }
}
