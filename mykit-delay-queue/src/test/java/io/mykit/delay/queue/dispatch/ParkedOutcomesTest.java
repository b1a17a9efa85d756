package io.mykit.delay.queue.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.Namespaces;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.OwnedBuckets;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoreUnavailableException;
import io.mykit.delay.queue.store.Transition;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ParkedOutcomesTest {
    /** The transactions of a round are: the rows, the outcomes without bodies, the bodies. */
    private static final int FIND_BODIES = 3;

    private final MemoryQueue queue = new MemoryQueue(Duration.ZERO);
    private final OwnedBuckets buckets = new OwnedBuckets(queue.index(), new LeaderTerm(1, () -> {}, () -> true));
    private final StoreBreaker breaker = new StoreBreaker(() -> 0, "Deliveries go on");
    private final ParkedOutcomes loop =
            new ParkedOutcomes(queue.index(), queue.store(), buckets, breaker, DeadCopies.NONE);

    /** Redis had the message although its answer was lost, and the loader claims its row. */
    @Test
    void anOutcomeWhoseRowChangesMeanwhileIsKept() {
        queue.insert("m", 0, MessageStatus.WAIT_PUT);
        int bucket = queue.index().bucketOf("m");
        buckets.claim(bucket);
        long nowMs = queue.clock().millis();
        ParkedOutcome delivered =
                new ParkedOutcome("m", 0, MessageStatus.FINISH, nowMs, nowMs, 0, "", DeadReason.ATTEMPTS);
        buckets.get(bucket).park(List.of(delivered));
        // The look at the row, and its change.
        queue.store().before(() -> queue.store().before(() -> {
            queue.store().before(() -> {});
            Transition.Step claimed = new Transition.Step(MessageStatus.DELAY, 0);
            queue.store().move(List.of(new Transition("m", 0, MessageStatus.WAIT_PUT, List.of(claimed), "loader", 0)));
        }));
        loop.runOnce();
        assertThat(buckets.get(bucket).parked(10)).containsExactly(delivered);
        loop.runOnce();
        assertThat(queue.status("m")).isEqualTo(MessageStatus.FINISH);
        assertThat(buckets.get(bucket).parked(10)).isEmpty();
    }

    /** Two leaders delivered it during an outage; one outcome is recorded, and the producer begins the message again. */
    @Test
    void anOutcomeOfADeliveredMessageDoesNotEndTheMessageThatBeganAgain() {
        DelayMessage first = queue.insert("m", 0, MessageStatus.DELAY);
        int bucket = queue.index().bucketOf("m");
        buckets.claim(bucket);
        ParkedOutcome old =
                new ParkedOutcome("m", 0, MessageStatus.FINISH, 0, queue.clock().millis(), 0, "", DeadReason.ATTEMPTS);
        buckets.get(bucket).park(List.of(old));
        RowState row = queue.store().states(List.of("m")).get(0);
        Transition.Step done = new Transition.Step(MessageStatus.FINISH, 0);
        queue.store().move(List.of(Transition.ofAttempt(row, 0, done, "test", 0)));
        List<Transition.Step> again =
                List.of(new Transition.Step(MessageStatus.RESTORE, 0), new Transition.Step(MessageStatus.DELAY, 0));
        DelayMessage second = queue.message("m", 60_000).asVersion(1);
        queue.store().rewrite(second, new Transition("m", 0, MessageStatus.FINISH, again, "test", 0));
        queue.index().schedule(List.of(second));
        loop.runOnce();
        assertThat(queue.status("m")).isEqualTo(MessageStatus.DELAY);
        assertThat(buckets.get(bucket).parked(10)).isEmpty();
        assertThat(queue.index().remove("m").message()).isEqualTo(second).isNotEqualTo(first);
    }

    @Test
    void goodOutcomesAreRecordedAlthoughTheBodiesOfDeadLettersCannotBeRead() {
        ParkedOutcomes copying = loop(topic -> Optional.of("graves"));
        park(outcome("good", MessageStatus.FINISH), outcome("dead", MessageStatus.FAILED));
        failAt(FIND_BODIES);
        assertThatThrownBy(copying::runOnce).isInstanceOf(OutOfMemoryError.class);
        queue.store().before(() -> {});
        assertThat(queue.status("good")).isEqualTo(MessageStatus.FINISH);
        assertThat(queue.status("dead")).isEqualTo(MessageStatus.DELAY);
        assertThat(parked()).containsExactly("dead");
        copying.runOnce();
        assertThat(queue.status("dead")).isEqualTo(MessageStatus.FAILED);
        assertThat(queue.store().find("dead:dead")).isPresent();
        assertThat(parked()).isEmpty();
    }

    /** A restore may have read the row of a delivered message before its outcome is recorded, and schedules it afterwards. */
    @Test
    void theGateAsksTheStoreOnceOutcomesAreRecorded() {
        park(outcome("m", MessageStatus.FINISH));
        breaker.failed(new StoreUnavailableException("away", null));
        queue.store().goAway();
        assertThatThrownBy(loop::runOnce).isInstanceOf(StoreUnavailableException.class);
        assertThat(breaker.worthTrying()).isFalse();
        queue.store().comeBack();
        loop.runOnce();
        assertThat(breaker.worthTrying()).isTrue();
        assertThat(queue.status("m")).isEqualTo(MessageStatus.FINISH);
    }

    @Test
    void bodiesAreReadForDeadLetterTopicsOnly() {
        park(outcome("dead", MessageStatus.FAILED));
        failAt(FIND_BODIES);
        loop.runOnce();
        assertThat(queue.status("dead")).isEqualTo(MessageStatus.FAILED);
        assertThat(parked()).isEmpty();
    }

    @Test
    void oneOutcomeThatIsRefusedHoldsNoOtherUp() {
        // Both together are refused, then the first one passes, and the other one is refused.
        AtomicInteger asked = new AtomicInteger();
        ParkedOutcomes copying = loop(topic -> {
            if (asked.getAndIncrement() % 2 == 0) {
                throw new IllegalStateException("refused by a test");
            }
            return Optional.of("graves");
        });
        park(outcome("a", MessageStatus.FAILED), outcome("b", MessageStatus.FAILED));
        assertThat(copying.runOnce()).isZero();
        assertThat(parked()).as("one of them is refused alone, too").hasSize(1);
        asked.set(0);
        assertThat(copying.runOnce())
                .as("nothing could be recorded, so the loop rests")
                .isPositive();
        assertThat(parked()).hasSize(1);
        copying.runOnce();
        assertThat(parked()).isEmpty();
    }

    @Test
    void aPageHasFewerOutcomesAfterAFailureAndThenMoreAgain() {
        ParkedOutcome[] many = IntStream.range(0, 400)
                .mapToObj(i -> outcome("m" + i, MessageStatus.FINISH))
                .toArray(ParkedOutcome[]::new);
        // The bucket before it has no outcomes, which tells nothing about the page that failed.
        buckets.claim(0);
        buckets.claim(1);
        buckets.get(1).park(List.of(many));
        failAt(1);
        assertThatThrownBy(loop::runOnce).isInstanceOf(OutOfMemoryError.class);
        queue.store().before(() -> {});
        loop.runOnce();
        assertThat(buckets.get(1).parked(1000)).as("half of a page of 500").hasSize(150);
        loop.runOnce();
        assertThat(buckets.get(1).parked(1000)).isEmpty();
    }

    private void failAt(int transaction) {
        AtomicInteger transactions = new AtomicInteger();
        queue.store().before(() -> {
            if (transactions.incrementAndGet() == transaction) {
                throw new OutOfMemoryError("in a test");
            }
        });
    }

    private ParkedOutcomes loop(Function<String, Optional<String>> deadLetterTopics) {
        DeadCopies copies = new DeadCopies(deadLetterTopics, some -> {}, Namespaces.NONE);
        return new ParkedOutcomes(queue.index(), queue.store(), buckets, breaker, copies);
    }

    private ParkedOutcome outcome(String id, MessageStatus status) {
        queue.insert(id, 0, MessageStatus.DELAY);
        long nowMs = queue.clock().millis();
        return new ParkedOutcome(id, 0, status, nowMs, nowMs, 1, "");
    }

    private void park(ParkedOutcome... outcomes) {
        buckets.claim(0);
        buckets.get(0).park(List.of(outcomes));
    }

    private List<String> parked() {
        return buckets.get(0).parked(1000).stream().map(ParkedOutcome::id).toList();
    }

    @Test
    void anOutcomeOfARemovedMessageEndsNoNewOneWithItsId() {
        queue.pass(Duration.ofHours(1));
        queue.insert("m", 0, MessageStatus.DELAY);
        int bucket = queue.index().bucketOf("m");
        buckets.claim(bucket);
        park(bucket, queue.clock().millis() - 61_000);
        loop.runOnce();
        assertThat(queue.status("m")).isEqualTo(MessageStatus.DELAY);
        assertThat(buckets.get(bucket).parked(10)).isEmpty();
        assertThat(queue.location("m"))
                .as("the outcome kept it out of the index")
                .isEqualTo(Location.WAITING);
    }

    @Test
    void anOutcomeEndsAMessageWhoseProducerIsAheadOfTime() {
        long nowMs = queue.clock().millis();
        queue.insertCreated("m", nowMs + 600_000, 0, MessageStatus.DELAY);
        int bucket = queue.index().bucketOf("m");
        buckets.claim(bucket);
        park(bucket, nowMs);
        loop.runOnce();
        assertThat(queue.status("m")).isEqualTo(MessageStatus.FINISH);
    }

    @Test
    void anOutcomeOfARemovedMessageEndsNoNewOneWhoseProducerIsBehind() {
        queue.pass(Duration.ofHours(1));
        queue.insertCreated("m", queue.clock().millis() - 3_600_000, 0, MessageStatus.DELAY);
        int bucket = queue.index().bucketOf("m");
        buckets.claim(bucket);
        park(bucket, queue.clock().millis() - 61_000);
        loop.runOnce();
        assertThat(queue.status("m")).isEqualTo(MessageStatus.DELAY);
    }

    /** A row of an older release tells only of its last change. */
    @Test
    void withoutTheTimeOfTheInsertionTheLastChangeDecides() {
        queue.insert("old", 0, MessageStatus.DELAY);
        queue.pass(Duration.ofHours(1));
        queue.insert("new", 0, MessageStatus.DELAY);
        queue.store().forgetInsertions();
        for (String id : List.of("old", "new")) {
            int bucket = queue.index().bucketOf(id);
            buckets.claim(bucket);
            long doneMs = queue.clock().millis() - 61_000;
            buckets.get(bucket)
                    .park(List.of(new ParkedOutcome(
                            id, 0, MessageStatus.FINISH, doneMs, doneMs, 0, "", DeadReason.ATTEMPTS)));
        }
        loop.runOnce();
        assertThat(queue.status("old")).isEqualTo(MessageStatus.FINISH);
        assertThat(queue.status("new")).isEqualTo(MessageStatus.DELAY);
    }

    private void park(int bucket, long doneMs) {
        buckets.get(bucket)
                .park(List.of(
                        new ParkedOutcome("m", 0, MessageStatus.FINISH, doneMs, doneMs, 0, "", DeadReason.ATTEMPTS)));
    }
}
