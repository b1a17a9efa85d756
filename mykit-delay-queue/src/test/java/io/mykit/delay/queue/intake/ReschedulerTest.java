package io.mykit.delay.queue.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.StatusFlow;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.queue.cancel.MessageCanceller;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.producer.CancelResult;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.queue.store.Transition;
import io.mykit.delay.test.message.MessageBuilder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReschedulerTest {
    private static final long HOUR_MS = 3_600_000;

    private final MemoryQueue queue = new MemoryQueue(Duration.ofHours(2));
    private final Rescheduler rescheduler =
            new Rescheduler(queue.store(), queue.index(), queue.scheduling(), queue.clock());

    @BeforeEach
    void lead() {
        queue.lead(1);
    }

    @Test
    void theContentStaysAndTheVersionGrows() {
        DelayMessage old = queue.push("m", HOUR_MS);
        assertThat(rescheduler.reschedule("m", now() + 60_000)).contains(now() + 60_000);
        DelayMessage expected = old.dueAt(now() + 60_000).asVersion(1);
        assertThat(stored().message()).isEqualTo(expected);
        assertThat(stored().status()).isEqualTo(MessageStatus.DELAY);
        assertThat(queue.index().remove("m").message()).isEqualTo(expected);
        assertThat(queue.store().flow("m"))
                .extracting(StatusFlow::detail)
                .last()
                .isEqualTo("rescheduled");
    }

    @Test
    void aTimeInThePastMeansNow() {
        queue.push("m", HOUR_MS);
        assertThat(rescheduler.reschedule("m", now() - HOUR_MS)).contains(now());
        assertThat(stored().message().dueTimeMs()).isEqualTo(now());
    }

    /** A producer may give a creation time in the future. */
    @Test
    void theDelayThatTheProducerGaveStays() {
        DelayMessage late =
                MessageBuilder.withId("m").created(now() + HOUR_MS).delay(1000).build();
        queue.store().insert(List.of(new NewMessage(late, MessageStatus.DELAY)));
        queue.index().schedule(List.of(late));
        assertThat(rescheduler.reschedule("m", now())).contains(now());
        assertThat(stored().message().delayMs()).isEqualTo(1000);
    }

    @Test
    void theFarTierIsLeftAndEntered() {
        queue.insert("m", 5 * HOUR_MS, MessageStatus.WAIT_PUT);
        rescheduler.reschedule("m", now() + HOUR_MS);
        assertThat(queue.status("m")).isEqualTo(MessageStatus.DELAY);
        assertThat(queue.location("m")).isEqualTo(Location.WAITING);
        rescheduler.reschedule("m", now() + 9 * HOUR_MS);
        assertThat(queue.status("m")).isEqualTo(MessageStatus.WAIT_PUT);
        assertThat(queue.location("m")).isNull();
    }

    @Test
    void attemptsBeginAnew() {
        queue.insert("m", HOUR_MS, MessageStatus.DELAY);
        Transition failed = Transition.of(
                        stored().state(),
                        List.of(
                                new Transition.Step(MessageStatus.READY, now()),
                                new Transition.Step(MessageStatus.DELAY, now(), "no")),
                        "tester",
                        3)
                .retriedAt(now() + 2 * HOUR_MS);
        queue.store().move(List.of(failed));
        rescheduler.reschedule("m", now() + 1000);
        assertThat(stored().attempts()).isZero();
        assertThat(stored().message().firstDueMs()).isEqualTo(now() + 1000);
    }

    @Test
    void aDeliveryThatHasBegunIsNotStopped() {
        queue.push("m", 0);
        OwnedBucket owner = queue.index().claim(queue.index().bucketOf("m"), 1);
        owner.moveDue(10, Handover.NONE);
        assertThat(rescheduler.reschedule("m", now())).as("ready").contains(now());
        owner.moveDue(10, Handover.NONE);
        queue.index().take(List.of(owner), MemoryQueue.TOPIC, 10, Duration.ofMinutes(1));
        assertRefused(ErrorCode.ALREADY_DISPATCHED);
        assertThat(stored().message().version()).isEqualTo(1);
        assertThat(queue.location("m")).isEqualTo(Location.TAKEN);
    }

    @Test
    void endedMessagesAreRefused() {
        queue.push("m", HOUR_MS);
        Transition cancel = new Transition(
                "m", 0, MessageStatus.DELAY, List.of(new Transition.Step(MessageStatus.DELETE, now())), "tester", 0);
        queue.store().move(List.of(cancel));
        assertRefused(ErrorCode.ALREADY_FINISHED);
        assertThat(rescheduler.reschedule("unknown", now())).isEmpty();
    }

    @Test
    void aStoreThatIsAwayLeavesTheMessageWhereItWas() {
        queue.push("m", HOUR_MS);
        queue.store().goAway();
        assertRefused(ErrorCode.STORE_UNAVAILABLE);
        queue.store().comeBack();
        assertThat(queue.location("m")).isEqualTo(Location.WAITING);
        assertThat(stored().message().version()).isZero();
    }

    @Test
    void aLostAnswerIsNoSuccess() {
        queue.push("m", HOUR_MS);
        queue.store().loseNextAnswer();
        assertRefused(ErrorCode.OUTCOME_UNKNOWN);
        assertThat(rescheduler.reschedule("m", now() + 1000)).contains(now() + 1000);
        assertThat(queue.index().remove("m").message()).isEqualTo(stored().message());
    }

    @Test
    void aMessageThatIsCancelledMeanwhileIsNotPutBack() {
        queue.push("m", HOUR_MS);
        MessageCanceller canceller =
                new MessageCanceller(queue.store(), queue.otherNode(), queue.horizon(), queue.clock());
        // The read of the row, and its change.
        queue.store().before(() -> queue.store().before(() -> {
            queue.store().before(() -> {});
            assertThat(canceller.cancel("m")).isEqualTo(CancelResult.CANCELLED);
        }));
        assertRefused(ErrorCode.ALREADY_FINISHED);
        assertThat(queue.location("m")).isNull();
    }

    /** The answer to its push's scheduling was lost, so that the row went to WAIT_PUT. Redis carries the call out later. */
    @Test
    void theOldVersionOfAMessageWhoseSchedulingWasGivenUpStaysOut() {
        DelayMessage old = queue.insert("m", HOUR_MS, MessageStatus.WAIT_PUT);
        rescheduler.reschedule("m", now() + 9 * HOUR_MS);
        assertThat(queue.index().schedule(List.of(old))).containsExactly(ScheduleOutcome.VETOED);
    }

    /** A failover forgot the removal before the row changed. */
    @Test
    void theOldVersionOfAMessageThatMovesBeyondTheHorizonIsTakenOutOnceMore() {
        DelayMessage old = queue.push("m", HOUR_MS);
        // The read of the row, and its change.
        queue.store().before(() -> queue.store().before(() -> {
            queue.store().before(() -> {});
            queue.index().putBack(old, false);
        }));
        rescheduler.reschedule("m", now() + 9 * HOUR_MS);
        assertThat(queue.status("m")).isEqualTo(MessageStatus.WAIT_PUT);
        assertThat(queue.location("m")).isNull();
    }

    private void assertRefused(ErrorCode code) {
        assertThatThrownBy(() -> rescheduler.reschedule("m", now() + HOUR_MS))
                .isInstanceOfSatisfying(
                        DelayException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private long now() {
        return queue.clock().millis();
    }

    private StoredMessage stored() {
        return queue.store().find("m").orElseThrow();
    }
}
