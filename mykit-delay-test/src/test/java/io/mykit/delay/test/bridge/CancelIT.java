package io.mykit.delay.test.bridge;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.RESTORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.queue.producer.CancelResult;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Cancelled stays cancelled, and the answer is true. */
class CancelIT extends BridgeFixture {

    @Test
    void aWaitingMessageIsCancelledForGood() throws Exception {
        restAsLeaderOf("gone", 1);
        bridge.push(bridge.message("gone", "t", 400));
        assertThat(bridge.cancel("gone")).isEqualTo(CancelResult.CANCELLED);
        assertThat(bridge.cancel("gone")).isEqualTo(CancelResult.CANCELLED);
        bridge.lead(2);
        bridge.push(bridge.message("after", "t", 600));
        awaitStatus("after", FINISH);
        assertThat(bridge.channel().arrivals("gone")).isEmpty();
        assertThat(path("gone")).containsExactly(DELAY, DELETE);
        assertLegalPath("gone");
        assertIndexEmpty();
    }

    @Test
    void unknownAndDeliveredAreToldApart() throws Exception {
        bridge.lead(1);
        assertThat(bridge.cancel("never-seen")).isEqualTo(CancelResult.UNKNOWN);
        bridge.push(bridge.message("done", "t", 0));
        awaitStatus("done", FINISH);
        assertThat(bridge.cancel("done")).isEqualTo(CancelResult.ALREADY_DISPATCHED);
    }

    /** It was scheduled, and the producer's retry has read its row before the cancel changes that. */
    @Test
    void aMessageThatIsPutBackAndDueBeforeItsCancelCommitsIsNotDelivered() throws Exception {
        DelayMessage message = bridge.message("retried", "t", 1500);
        bridge.push(message);
        try (HeldCancel cancel = new HeldCancel(bridge, "retried")) {
            assertThat(bridge.index().schedule(List.of(message))).containsExactly(ScheduleOutcome.VETOED);
            bridge.lead(1);
            bridge.push(bridge.message("witness", "t", 1700));
            awaitStatus("witness", FINISH);
            assertThat(cancel.letGo().get(10, TimeUnit.SECONDS)).isEqualTo(CancelResult.CANCELLED);
        }
        assertThat(bridge.channel().arrivals("retried")).isEmpty();
        assertThat(path("retried")).containsExactly(DELAY, DELETE);
        assertIndexEmpty();
    }

    @Test
    void aCancelThatTheStoreRefusesPutsTheMessageBack() throws Exception {
        bridge.push(bridge.message("stays", "t", 60_000));
        try (HeldCancel cancel = new HeldCancel(bridge, "stays")) {
            assertThat(cancel.refuse()).failsWithin(Duration.ofSeconds(10));
        }
        assertThat(bridge.index().locate(List.of("stays"))).containsEntry("stays", Location.WAITING);
    }

    /** A repeated push may have read the row before the cancel, and may schedule it after that. */
    @Test
    @Tag("long")
    void aCancelThatRacesWithAPushOfTheSameLeavesNothingInTheIndex() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<String> ids = new ArrayList<>();
        try {
            for (int i = 0; i < 300; i++) {
                DelayMessage message = bridge.message("again" + i, "t", 60_000);
                ids.add(message.id());
                bridge.push(message);
                CyclicBarrier together = new CyclicBarrier(3);
                List<Future<?>> done = new ArrayList<>();
                for (int pusher = 0; pusher < 2; pusher++) {
                    done.add(threads.submit(() -> {
                        together.await();
                        // Refused, where it comes after the cancel.
                        bridge.pushAsync(message, false)
                                .handle((pushed, refused) -> null)
                                .get(10, TimeUnit.SECONDS);
                        return null;
                    }));
                }
                done.add(threads.submit(() -> {
                    together.await();
                    assertThat(bridge.cancel(message.id())).isEqualTo(CancelResult.CANCELLED);
                    return null;
                }));
                for (Future<?> each : done) {
                    each.get();
                }
            }
        } finally {
            threads.shutdown();
        }
        assertThat(bridge.index().locate(ids)).isEmpty();
    }

    /** The push has committed, and schedules the message while the cancel is between its look at the index and its commit. */
    @Test
    void aMessageThatIsScheduledAndDueBeforeItsCancelCommitsIsNotDelivered() throws Exception {
        DelayMessage message = bridge.message("between", "t", 4000);
        bridge.store().insert(List.of(new NewMessage(message, DELAY)));
        try (HeldCancel cancel = new HeldCancel(bridge, "between")) {
            assertThat(bridge.index().schedule(List.of(message))).containsExactly(ScheduleOutcome.VETOED);
            bridge.lead(1);
            bridge.push(bridge.message("witness", "t", 4200));
            awaitStatus("witness", FINISH);
            assertThat(cancel.letGo().get(10, TimeUnit.SECONDS)).isEqualTo(CancelResult.CANCELLED);
        }
        assertThat(bridge.channel().arrivals("between")).isEmpty();
        assertThat(path("between")).containsExactly(DELAY, DELETE);
        assertIndexEmpty();
    }

    @Test
    void aCancelThatTheStoreRefusesHoldsNothingBack() throws Exception {
        DelayMessage message = bridge.message("kept", "t", 4000);
        bridge.store().insert(List.of(new NewMessage(message, DELAY)));
        try (HeldCancel cancel = new HeldCancel(bridge, "kept")) {
            assertThat(bridge.index().schedule(List.of(message))).containsExactly(ScheduleOutcome.VETOED);
            assertThat(cancel.refuse())
                    .failsWithin(Duration.ofSeconds(10))
                    .withThrowableThat()
                    .havingRootCause()
                    .isInstanceOf(StoreUnavailableException.class);
        }
        assertThat(bridge.push(message)).isEqualTo(PushResult.same(DELAY));
        assertThat(bridge.index().locate(List.of("kept"))).containsEntry("kept", Location.WAITING);
        bridge.lead(1);
        awaitStatus("kept", FINISH);
        assertThat(bridge.channel().arrivals("kept")).hasSize(1);
        assertIndexEmpty();
    }

    /** The push still has the old due time; the new one is earlier. */
    @Test
    void aReplacementOfAMessageThatIsNotYetScheduledWins() throws Exception {
        DelayMessage old = bridge.message("changed", "t", 60_000);
        bridge.store().insert(List.of(new NewMessage(old, DELAY)));
        DelayMessage sooner = bridge.message("changed", "t", 300);
        assertThat(bridge.pushAsync(sooner, true).get(10, TimeUnit.SECONDS)).isEqualTo(PushResult.REPLACED);
        assertThat(bridge.index().schedule(List.of(old))).containsExactly(ScheduleOutcome.KNOWN);
        bridge.lead(1);
        awaitStatus("changed", FINISH);
        assertThat(bridge.channel().arrivals("changed")).hasSize(1);
        assertIndexEmpty();
    }

    /** A cancel's veto lasts longer than the cancel; an operator need not wait for its end. */
    @Test
    void aCancelledMessageIsPutBackAtOnce() throws Exception {
        DelayMessage message = bridge.message("back", "t", 60_000);
        bridge.store().insert(List.of(new NewMessage(message, DELAY)));
        assertThat(bridge.cancel("back")).isEqualTo(CancelResult.CANCELLED);
        assertThat(bridge.index().schedule(List.of(message))).containsExactly(ScheduleOutcome.VETOED);
        assertThat(bridge.operators().restoreOne("back")).isTrue();
        assertThat(bridge.index().locate(List.of("back"))).containsEntry("back", Location.WAITING);
        assertThat(path("back")).containsExactly(DELAY, DELETE, RESTORE, DELAY);
    }

    @Test
    void aCancelThatRacesWithTheDueTimeAnswersTruly() throws Exception {
        bridge.lead(1);
        Map<String, Future<CancelResult>> answers = new HashMap<>();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            for (int i = 0; i < 400; i++) {
                String id = "race" + i;
                DelayMessage message = bridge.message(id, "t", 40);
                bridge.push(message);
                answers.put(id, threads.submit(() -> {
                    while (bridge.clock().millis() < message.dueTimeMs() - 2) {
                        Thread.onSpinWait();
                    }
                    return cancelForCertain(id);
                }));
            }
        } finally {
            threads.shutdown();
        }
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        int cancelled = 0;
        for (Map.Entry<String, Future<CancelResult>> answer : answers.entrySet()) {
            String id = answer.getKey();
            boolean won = answer.getValue().get() == CancelResult.CANCELLED;
            cancelled += won ? 1 : 0;
            awaitStatus(id, won ? DELETE : FINISH);
            assertThat(bridge.channel().arrivals(id)).hasSize(won ? 0 : 1);
            assertLegalPath(id);
        }
        assertThat(cancelled).as("the race was one").isPositive();
        assertIndexEmpty();
    }

    /** Asks again as the answer says, for a leader that has not claimed the bucket yet. */
    private CancelResult cancelForCertain(String id) {
        return await().atMost(Duration.ofSeconds(20))
                .ignoreExceptionsMatching(
                        e -> e instanceof DelayException unknown && unknown.code() == ErrorCode.OUTCOME_UNKNOWN)
                .until(() -> bridge.cancel(id), Objects::nonNull);
    }

    @Test
    void aCopyThatComesBackIntoTheIndexIsStoppedAtTheGate() throws Exception {
        restAsLeaderOf("zombie", 1);
        DelayMessage cancelled = bridge.message("zombie", "t", 300);
        bridge.push(cancelled);
        assertThat(bridge.cancel("zombie")).isEqualTo(CancelResult.CANCELLED);
        // As a failover of Redis does that lost the removal.
        bridge.index().lift(cancelled.ref());
        assertThat(bridge.index().schedule(List.of(cancelled))).containsExactly(ScheduleOutcome.SCHEDULED);
        bridge.lead(2);
        bridge.push(bridge.message("witness", "t", 500));
        awaitStatus("witness", FINISH);
        assertIndexEmpty();
        assertThat(bridge.channel().arrivals("zombie")).isEmpty();
        assertThat(bridge.status("zombie")).isEqualTo(DELETE);
    }

    @Test
    void aCopyWithAnOldDueTimeIsNotDelivered() throws Exception {
        bridge.push(bridge.message("moved", "t", 60_000));
        DelayMessage later = bridge.message("moved", "t", 1500);
        bridge.pushAsync(later, true).get(10, TimeUnit.SECONDS);
        DelayMessage old = bridge.message("moved", "t", 0);
        bridge.index().purge(List.of(later.asVersion(1).ref()));
        bridge.index().lift(old.ref());
        bridge.index().schedule(List.of(old));
        bridge.lead(1);
        await().atMost(Duration.ofSeconds(10))
                .until(() -> !bridge.channel().arrivals("moved").isEmpty());
        assertThat(bridge.channel().arrivals("moved")).singleElement().satisfies(arrival -> assertThat(arrival.atMs())
                .isGreaterThanOrEqualTo(later.dueTimeMs()));
    }
}
