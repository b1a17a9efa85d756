package io.mykit.delay.test.bridge;

import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.WAIT_PUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.producer.CancelResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A message whose due time an operator moves, beside deliveries, cancels and replacements. */
@Tag("long")
class RescheduleIT extends BridgeFixture {
    @Override
    protected Map<String, String> settings() {
        Map<String, String> settings = super.settings();
        settings.put("mykit.delay.queue.horizon", "1h");
        return settings;
    }

    @Test
    void aMessageOfTheFarTierIsDeliveredNow() throws Exception {
        bridge.lead(1);
        bridge.push(bridge.message("far", "t", 90_000_000));
        assertThat(bridge.status("far")).isEqualTo(WAIT_PUT);
        long now = bridge.clock().millis();
        assertThat(bridge.producers().reschedule("far", now)).get().satisfies(due -> assertThat(due)
                .isGreaterThanOrEqualTo(now));
        awaitStatus("far", FINISH);
        assertThat(bridge.channel().arrivals("far")).hasSize(1);
        assertLegalPath("far");
        assertIndexEmpty();
        assertRefused("far", ErrorCode.ALREADY_FINISHED);
    }

    @Test
    void aMessageIsNotDeliveredAtItsOldTime() throws Exception {
        restAsLeaderOf("later", 1);
        DelayMessage message = bridge.message("later", "t", 700);
        bridge.push(message);
        long due = message.dueTimeMs() + 3000;
        assertThat(bridge.producers().reschedule("later", due)).contains(due);
        bridge.lead(2);
        awaitStatus("later", FINISH);
        assertThat(bridge.channel().arrivals("later")).singleElement().satisfies(arrival -> assertThat(arrival.atMs())
                .isGreaterThanOrEqualTo(due));
        assertIndexEmpty();
    }

    /** A due message of a paused topic rests, and no delivery holds it. */
    @Test
    void aDueMessageOfAPausedTopicCanBeMoved() throws Exception {
        bridge.lead(1);
        bridge.operators().pause("t", Optional.empty());
        bridge.push(bridge.message("m", "t", 0));
        await().atMost(Duration.ofSeconds(20))
                .until(() -> bridge.index().locate(List.of("m")).get("m") == Location.READY);
        long due = bridge.clock().millis() + 600_000;
        assertThat(bridge.producers().reschedule("m", due)).contains(due);
        assertThat(bridge.index().locate(List.of("m"))).containsEntry("m", Location.WAITING);
        bridge.operators().resume("t");
        bridge.producers().reschedule("m", 0);
        awaitStatus("m", FINISH);
        assertThat(bridge.channel().arrivals("m")).hasSize(1);
        assertIndexEmpty();
    }

    /** The answer tells at which time the message goes out, and it goes out once. */
    @Test
    void aRescheduleThatRacesWithTheDueTimeAnswersTruly() throws Exception {
        bridge.lead(1);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<Long>> answers = new ArrayList<>();
        try {
            for (int i = 0; i < 300; i++) {
                String id = "race" + i;
                DelayMessage message = bridge.message(id, "t", 40);
                bridge.push(message);
                answers.add(threads.submit(() -> {
                    while (bridge.clock().millis() < message.dueTimeMs() - 2) {
                        Thread.onSpinWait();
                    }
                    return rescheduled(id, bridge.clock().millis() + 1500);
                }));
            }
        } finally {
            threads.shutdown();
        }
        assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        int won = 0;
        for (int i = 0; i < answers.size(); i++) {
            String id = "race" + i;
            long dueMs = answers.get(i).get();
            won += dueMs == 0 ? 0 : 1;
            awaitStatus(id, FINISH);
            assertThat(bridge.channel().arrivals(id)).as(id).singleElement().satisfies(arrival -> assertThat(
                            arrival.atMs())
                    .isGreaterThanOrEqualTo(dueMs));
            assertLegalPath(id);
        }
        assertThat(won).as("the race was one").isPositive();
        assertIndexEmpty();
    }

    /** At most one of all changes is the last one, and row, index and broker agree about it. */
    @Test
    void allChangesOfAMessageAtOnceLeaveOneOfThem() throws Exception {
        bridge.lead(1);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            for (int round = 0; round < 60; round++) {
                String id = "all" + round;
                bridge.push(bridge.message(id, "t", 60_000));
                CyclicBarrier together = new CyclicBarrier(4);
                Future<Boolean> cancelled =
                        threads.submit(after(together, () -> bridge.cancel(id) == CancelResult.CANCELLED));
                List<Future<?>> others = new ArrayList<>();
                others.add(threads.submit(
                        after(together, () -> rescheduled(id, bridge.clock().millis() + 300))));
                others.add(threads.submit(
                        after(together, () -> rescheduled(id, bridge.clock().millis() + 600_000))));
                others.add(threads.submit(after(together, () -> bridge.pushAsync(bridge.message(id, "t", 200), true)
                        .handle((result, failure) -> null)
                        .get(20, TimeUnit.SECONDS))));
                for (Future<?> each : others) {
                    each.get(30, TimeUnit.SECONDS);
                }
                cancelled.get(30, TimeUnit.SECONDS);
                await().atMost(Duration.ofSeconds(30)).until(() -> {
                    rescheduled(id, bridge.clock().millis());
                    return !bridge.status(id).isUnfinished();
                });
                MessageStatus end = bridge.status(id);
                assertThat(end).as(id).isIn(FINISH, DELETE);
                // The replacement may begin a delivered message again.
                assertThat(bridge.channel().arrivals(id)).as(id).hasSize(Collections.frequency(path(id), FINISH));
                assertLegalPath(id);
            }
        } finally {
            threads.shutdownNow();
        }
        assertIndexEmpty();
    }

    private static <T> Callable<T> after(CyclicBarrier together, Callable<T> work) {
        return () -> {
            together.await();
            return work.call();
        };
    }

    /** The new due time; 0 = it was refused. */
    private long rescheduled(String id, long dueMs) {
        try {
            return bridge.producers().reschedule(id, dueMs).orElseThrow();
        } catch (DelayException refused) {
            assertThat(refused.code())
                    .isIn(ErrorCode.ALREADY_DISPATCHED, ErrorCode.ALREADY_FINISHED, ErrorCode.OUTCOME_UNKNOWN);
            return 0;
        }
    }

    private void assertRefused(String id, ErrorCode code) {
        assertThatThrownBy(() -> bridge.producers().reschedule(id, 0))
                .isInstanceOfSatisfying(
                        DelayException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
