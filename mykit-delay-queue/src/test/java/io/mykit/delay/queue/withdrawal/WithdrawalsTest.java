package io.mykit.delay.queue.withdrawal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageRef;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.Removal;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.Transition;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class WithdrawalsTest {
    private static final long HOUR_MS = 3_600_000;
    private static final Handover TAKE = new Handover(List.of(), 10, Duration.ofMinutes(1));

    private final MemoryQueue queue = new MemoryQueue(Duration.ZERO);
    private final Withdrawals withdrawals = new Withdrawals(queue.store(), queue.index());

    @Test
    void putsARemovedMessageBackUnlessItIsCommitted() {
        DelayMessage message = queue.push("m", HOUR_MS);
        try (Withdrawal withdrawal = withdrawals.remove("m")) {
            assertThat(withdrawal.found()).isEqualTo(Removal.Kind.REMOVED);
            assertThat(withdrawal.message()).isEqualTo(message);
            assertThat(queue.location("m")).isNull();
            assertThat(withdrawal.commitIf(false)).isFalse();
        }
        assertThat(queue.location("m")).isEqualTo(Location.WAITING);
        try (Withdrawal withdrawal = withdrawals.remove("m")) {
            assertThat(withdrawal.commitIf(true)).isTrue();
        }
        assertThat(queue.location("m")).isNull();
        assertThat(queue.index().schedule(List.of(message))).as("vetoed").containsExactly(ScheduleOutcome.VETOED);
    }

    @Test
    void leavesAMessageAloneWhoseDeliveryHasBegun() {
        take("m");
        try (Withdrawal withdrawal = withdrawals.remove("m")) {
            assertThat(withdrawal.found()).isEqualTo(Removal.Kind.TOO_LATE);
        }
        assertThat(queue.location("m")).isEqualTo(Location.TAKEN);
    }

    @Test
    void keepsAMessageOutWhosePushIsBetweenTheStoreAndTheIndex() {
        DelayMessage message = queue.insert("m", HOUR_MS, MessageStatus.DELAY);
        try (Withdrawal withdrawal = withdrawals.veto(row()).orElseThrow()) {
            assertThat(withdrawal.found()).isEqualTo(Removal.Kind.UNKNOWN);
            assertThat(queue.index().schedule(List.of(message))).containsExactly(ScheduleOutcome.VETOED);
        }
        assertThat(queue.location("m")).as("its push was refused").isEqualTo(Location.WAITING);
        assertThat(withdrawals.veto(row())).as("known by now").isEmpty();
    }

    @Test
    void keepsAMessageOutWhoseProducerIsBehindWhileItsPushIsBetweenTheStoreAndTheIndex() {
        long longAgoMs = queue.clock().millis() - HOUR_MS;
        DelayMessage message = queue.insertCreated("m", longAgoMs, HOUR_MS, MessageStatus.DELAY);
        assertThat(withdrawals.takeOut(List.of(row()), queue.clock().millis())).isEmpty();
        assertThat(queue.index().schedule(List.of(message))).containsExactly(ScheduleOutcome.VETOED);
    }

    @Test
    void leavesAMessageToTheLoaderWhoseRowWaits() {
        DelayMessage message = queue.insert("m", HOUR_MS, MessageStatus.WAIT_PUT);
        withdrawals.veto(row()).orElseThrow().close();
        assertThat(queue.location("m")).isNull();
        assertThat(queue.index().schedule(List.of(message))).containsExactly(ScheduleOutcome.SCHEDULED);
    }

    /** The first call took the message out and hangs in the store; its client repeats it on another node. */
    @Test
    void theFirstOfTwoCallsDoesNotPutTheMessageBackWhileTheSecondOneKeepsItOut() {
        DelayMessage message = queue.push("m", HOUR_MS);
        Withdrawal first = withdrawals.remove("m");
        assertThat(withdrawals.remove("m").found()).isEqualTo(Removal.Kind.VETOED);
        Withdrawal second = withdrawals.veto(row()).orElseThrow();
        first.close();
        assertThat(queue.location("m")).isNull();
        assertThat(queue.index().schedule(List.of(message))).containsExactly(ScheduleOutcome.VETOED);
        second.close();
        assertThat(queue.location("m")).isEqualTo(Location.WAITING);
    }

    @Test
    void theSecondOfTwoCallsDoesNotPutTheMessageBackWhileTheFirstOneKeepsItOut() {
        queue.push("m", HOUR_MS);
        Withdrawal first = withdrawals.remove("m");
        withdrawals.veto(row()).orElseThrow().close();
        assertThat(queue.location("m")).isNull();
        first.close();
        assertThat(queue.location("m")).isEqualTo(Location.WAITING);
    }

    @Test
    void takesManyOutAndVetoesThoseThatWerePushedAMomentAgo() {
        DelayMessage old = queue.insert("old", HOUR_MS, MessageStatus.DELAY);
        queue.pass(Duration.ofMinutes(2));
        queue.push("waiting", HOUR_MS);
        DelayMessage young = queue.insert("young", HOUR_MS, MessageStatus.DELAY);
        take("taken");
        List<RowState> rows = queue.store().states(List.of("old", "waiting", "young", "taken"));
        assertThat(withdrawals.takeOut(rows, queue.clock().millis())).containsExactly("taken");
        assertThat(queue.location("waiting")).isNull();
        assertThat(queue.index().schedule(List.of(old, young)))
                .containsExactly(ScheduleOutcome.SCHEDULED, ScheduleOutcome.VETOED);
    }

    @Test
    void takesOneOutWhereItWasSeen() {
        DelayMessage waiting = queue.push("waiting", HOUR_MS);
        assertThat(withdrawals.takeOut(waiting.ref(), Location.WAITING)).isTrue();
        assertThat(queue.location("waiting")).isNull();
        DelayMessage taken = take("taken");
        assertThat(withdrawals.takeOut(taken.ref(), Location.WAITING))
                .as("it has moved on")
                .isFalse();
        assertThat(withdrawals.takeOut(taken.ref(), Location.TAKEN)).isFalse();
        assertThat(withdrawals.takeOut(taken.ref(), null))
                .as("a restore has scheduled it meanwhile")
                .isFalse();
        DelayMessage lost = queue.insert("lost", HOUR_MS, MessageStatus.DELAY);
        assertThat(withdrawals.takeOut(lost.ref(), null))
                .as("unknown to the index")
                .isTrue();
        assertThat(queue.index().schedule(List.of(lost))).containsExactly(ScheduleOutcome.VETOED);
        DelayMessage again = queue.push("again", HOUR_MS);
        assertThat(withdrawals.takeOut(again.ref(), null))
                .as("scheduled meanwhile, and not due")
                .isTrue();
        assertThat(queue.location("again")).isNull();
        assertThat(withdrawals.takeOut(new MessageRef("gone", 0), Location.READY))
                .as("delivered meanwhile")
                .isFalse();
    }

    @Test
    void forgetsMessagesWhoseRowsHaveEnded() {
        queue.push("cancelled", HOUR_MS);
        queue.push("waiting", HOUR_MS);
        Transition.Step step = new Transition.Step(MessageStatus.DELETE, 0);
        queue.store().move(List.of(new Transition("cancelled", 0, MessageStatus.DELAY, List.of(step), "test", 0)));
        assertThat(withdrawals.forgetEnded(List.of("cancelled", "waiting"))).isEqualTo(1);
        assertThat(queue.location("cancelled")).isNull();
        assertThat(queue.location("waiting")).isEqualTo(Location.WAITING);
    }

    @Test
    void withoutTheIndexNothingBeginsAndForgettingIsLeftOut() {
        DelayMessage message = queue.push("m", HOUR_MS);
        RowState row = row();
        queue.buckets().silence(0, 1, 2, 3);
        assertThatThrownBy(() -> withdrawals.remove("m")).isInstanceOf(IndexUnavailableException.class);
        assertThatThrownBy(() -> withdrawals.veto(row)).isInstanceOf(IndexUnavailableException.class);
        withdrawals.forget(List.of(message.ref()));
    }

    private RowState row() {
        return queue.store().find("m").orElseThrow().state();
    }

    private DelayMessage take(String id) {
        DelayMessage message = queue.push(id, 0);
        queue.index().claim(queue.index().bucketOf(id), 1).moveDue(10, TAKE);
        assertThat(queue.location(id)).isEqualTo(Location.TAKEN);
        return message;
    }
}
