package io.mykit.delay.test.bridge;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.RESTORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.queue.operator.ClearOrder;
import io.mykit.delay.queue.operator.ClearReport;
import io.mykit.delay.queue.operator.Operators;
import io.mykit.delay.queue.operator.RestoreOrder;
import io.mykit.delay.queue.operator.RestoreReport;
import io.mykit.delay.queue.operator.RunningWork;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.test.bucket.RedisView;
import io.mykit.delay.test.server.SharedServers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Restores and clears of many rows: their progress, stop and resume, and no second walk where one is enough. */
class RestoreIT extends BridgeFixture {
    private static final int ROWS = 4_000;
    private static final RestoreOrder RESUMED = new RestoreOrder(true, Optional.empty(), false, true);

    @Override
    protected Map<String, String> settings() {
        Map<String, String> settings = super.settings();
        settings.put("mykit.delay.recovery.page-size", "50");
        return settings;
    }

    @Test
    void aRestoreIsStoppedAndResumedAndPushesGoOn() throws Exception {
        insert(ROWS);
        Operators restorer = bridge.operators();
        CompletableFuture<RestoreReport> first =
                CompletableFuture.supplyAsync(() -> restorer.restoreAll(RestoreOrder.all(true)));
        awaitOrdered();
        assertThat(bridge.push(bridge.message("meanwhile", "t", 1_000_000))).isEqualTo(PushResult.ACCEPTED);
        assertThatThrownBy(() -> restorer.restoreAll(RestoreOrder.all(true)))
                .isInstanceOfSatisfying(
                        DelayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ALREADY_RUNNING));
        assertThat(bridge.recovery().details()).containsOnlyKeys("restore");
        assertThat(bridge.operators().stopOrdered()).isPresent();

        RestoreReport stopped = first.get(20, TimeUnit.SECONDS);
        assertThat(stopped.stopped()).isTrue();
        assertThat(stopped.rows()).isBetween(50L, ROWS - 50L).isEqualTo(stopped.scheduled());
        assertThat(bridge.recovery().details()).isEmpty();
        assertThat(bridge.operators().stopOrdered()).isEmpty();
        assertThat(bridge.index().locate(ids((int) stopped.rows())))
                .as("the most urgent first")
                .hasSize((int) stopped.rows());

        for (RestoreOrder other : List.of(
                new RestoreOrder(false, Optional.empty(), false, true),
                new RestoreOrder(true, Optional.of("t"), true, true))) {
            assertThatThrownBy(() -> restorer.restoreAll(other))
                    .isInstanceOfSatisfying(
                            DelayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_REQUEST))
                    .hasMessageContaining("the last restore had expire=true of all topics, this one has expire=");
        }
        RestoreReport resumed = restorer.restoreAll(RESUMED);
        assertThat(resumed.stopped()).isFalse();
        assertThat(resumed.scheduled()).isEqualTo(ROWS - stopped.rows());
        assertThat(resumed.rows()).isEqualTo(ROWS - stopped.rows() + 1);
        assertThat(bridge.index().locate(ids(ROWS))).hasSize(ROWS);
        RestoreReport again = restorer.restoreAll(RESUMED);
        assertThat(again.rows()).as("after an end everything").isEqualTo(ROWS + 1);
        assertThat(again.scheduled()).isZero();
        assertThat(bridge.measured("mykit.delay.recovery.scheduled", "work", "restore"))
                .isEqualTo(ROWS);
    }

    @Test
    void aDryRunCountsAndChangesNothing() {
        insert(300);
        long nowMs = bridge.clock().millis();
        bridge.store().insert(List.of(new NewMessage(bridge.message("overdue", "t", 0), DELAY)));
        await().until(() -> bridge.clock().millis() > nowMs + 5);
        RestoreReport all = bridge.operators().restoreAll(new RestoreOrder(true, Optional.empty(), true, false));
        assertThat(all.rows()).isEqualTo(301);
        assertThat(all.scheduled()).isEqualTo(301);
        RestoreReport young = bridge.operators().restoreAll(new RestoreOrder(false, Optional.empty(), true, false));
        assertThat(young.scheduled()).isEqualTo(300);
        assertThat(young.expired()).isEqualTo(1);
        assertThat(bridge.index().locate(ids(300))).isEmpty();
        assertThat(path("row0")).containsExactly(DELAY);
        assertThat(path("overdue")).containsExactly(DELAY);
        RestoreReport done = bridge.operators().restoreAll(RestoreOrder.all(true));
        assertThat(done.scheduled()).isEqualTo(all.scheduled());
        assertThat(path("row0")).containsExactly(DELAY, RESTORE, DELAY);
    }

    @Test
    void aClearIsStopped() throws Exception {
        insert(ROWS);
        CompletableFuture<ClearReport> clear =
                CompletableFuture.supplyAsync(() -> bridge.operators().clear(ClearOrder.ALL));
        awaitOrdered();
        assertThat(bridge.recovery().details()).containsOnlyKeys("clear");
        assertThat(bridge.operators().stopOrdered()).isPresent();
        ClearReport report = clear.get(20, TimeUnit.SECONDS);
        assertThat(report.stopped()).isTrue();
        assertThat(report.rows()).isBetween(50L, ROWS - 50L);
        assertThat(bridge.status("row0")).isEqualTo(DELETE);
        assertThat(bridge.status("row" + (ROWS - 1))).isEqualTo(DELAY);
    }

    /** One small topic among many rows of another. */
    @Test
    void oneTopicIsRestoredStoppedAndResumed() throws Exception {
        insert(ROWS);
        insertOfTopic("few", 120);
        Optional<String> few = Optional.of("few");
        Operators restorer = bridge.operators();
        RestoreReport counted = restorer.restoreAll(new RestoreOrder(true, few, true, false));
        assertThat(counted.rows()).isEqualTo(120).isEqualTo(counted.scheduled());
        assertThat(restorer.restoreAll(new RestoreOrder(true, Optional.of("none"), false, false))
                        .rows())
                .isZero();

        CompletableFuture<RestoreReport> first =
                CompletableFuture.supplyAsync(() -> restorer.restoreAll(new RestoreOrder(true, few, false, false)));
        awaitOrdered();
        bridge.operators().stopOrdered();
        RestoreReport stopped = first.get(20, TimeUnit.SECONDS);
        assertThat(stopped.stopped()).isTrue();
        RestoreReport resumed = restorer.restoreAll(new RestoreOrder(true, few, false, true));
        assertThat(resumed.stopped()).isFalse();
        assertThat(stopped.rows() + resumed.rows()).isEqualTo(120);
        assertThat(stopped.scheduled() + resumed.scheduled()).isEqualTo(120);
        assertThat(bridge.index().locate(ids(ROWS))).isEmpty();
        assertThat(path("few7")).containsExactly(DELAY, RESTORE, DELAY);
        assertThat(path("row7")).containsExactly(DELAY);
    }

    @Test
    void oneTopicIsCountedAndCleared() {
        insert(300);
        insertOfTopic("few", 120);
        Optional<String> few = Optional.of("few");
        assertThat(bridge.operators()
                        .clear(new ClearOrder(Optional.empty(), true))
                        .rows())
                .isEqualTo(420);
        assertThat(bridge.operators().clear(new ClearOrder(few, true)).rows()).isEqualTo(120);
        assertThat(path("few7")).containsExactly(DELAY);
        bridge.operators().restoreAll(new RestoreOrder(true, few, false, false));
        ClearReport cleared = bridge.operators().clear(new ClearOrder(few, false));
        assertThat(cleared.rows()).isEqualTo(120);
        assertThat(cleared.stopped()).isFalse();
        assertThat(bridge.status("few7")).isEqualTo(DELETE);
        assertThat(bridge.index().locate(List.of("few7"))).isEmpty();
        assertThat(path("row7")).containsExactly(DELAY);
        assertThat(bridge.operators().clear(new ClearOrder(few, false)).rows()).isZero();
    }

    @Test
    void messagesOfProducersWithWrongClocksAreCleared() throws Exception {
        bridge.push(bridge.messageOfClock(3_600_000, "ahead", "t", 60_000));
        bridge.push(bridge.messageOfClock(-3_600_000, "behind", "t", 60_000));
        assertThat(bridge.operators().clear(ClearOrder.ALL).rows()).isEqualTo(2);
        assertThat(bridge.status("ahead")).isEqualTo(DELETE);
        assertThat(bridge.status("behind")).isEqualTo(DELETE);
    }

    @Test
    void whereEverythingWasLostEachRowIsReadOnce() throws Exception {
        insert(1_000);
        bridge.lead(1);
        await().atMost(Duration.ofSeconds(20)).until(() -> waiting() == 1_000);
        // Overdue from the beginning, and in no index: the auditor's second kind of walk finds it.
        orphan("late", 0);
        awaitStatus("late", FINISH);
        // The walk begins anew when another bucket is found lost while it is at its first pages.
        assertThat(bridge.measured("mykit.delay.recovery.rows", "work", "buckets"))
                .isBetween(1_000.0, 2_500.0);
        assertThat(bridge.measured("mykit.delay.recovery.rows", "work", "audit"))
                .as("the first walk was left out")
                .isLessThan(100);
    }

    @Test
    void whereNothingOrAPartWasLostTheFirstWalkFindsWhatNobodyKnows() throws Exception {
        bridge.lead(1);
        RedisView view = new RedisView(
                List.of(SharedServers.redis()),
                "io.mykit.delay",
                bridge.config().queue().name(),
                bridge.index().buckets());
        await().until(view::isRestored);
        insert(1_000);
        bridge.store().find(ids(1_000), Long.MAX_VALUE, rows -> bridge.index()
                .schedule(rows.stream().map(row -> row.message()).toList()));
        bridge.rest();
        orphan("orphan", 1_000_000);
        bridge.lead(2);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> !bridge.index().locate(List.of("orphan")).isEmpty());
        assertThat(bridge.measured("mykit.delay.recovery.rows", "work", "audit"))
                .isEqualTo(1_001);
    }

    private void orphan(String id, long delayMs) {
        bridge.store().insert(List.of(new NewMessage(bridge.message(id, "t", delayMs), DELAY)));
    }

    /** Spread over the time in which the others are due. */
    private void insertOfTopic(String topic, int count) {
        bridge.store()
                .insert(IntStream.range(0, count)
                        .mapToObj(i -> new NewMessage(bridge.message(topic + i, topic, 900_000 + 333L * i), DELAY))
                        .toList());
    }

    /** Rows that the index does not know, due one after the other. */
    private void insert(int count) {
        for (int from = 0; from < count; from += 500) {
            bridge.store()
                    .insert(IntStream.range(from, Math.min(count, from + 500))
                            .mapToObj(i -> new NewMessage(bridge.message("row" + i, "t", 900_000 + 10L * i), DELAY))
                            .toList());
        }
    }

    private static List<String> ids(int count) {
        return IntStream.range(0, count).mapToObj(i -> "row" + i).toList();
    }

    private void awaitOrdered() {
        await().atMost(Duration.ofSeconds(10))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> bridge.operators().running().stream()
                                .filter(RunningWork::stoppable)
                                .findFirst()
                                .map(RunningWork::details)
                                .map(details -> (Long) details.get("rows"))
                                .orElse(0L)
                        > 0);
    }

    private long waiting() {
        return IntStream.range(0, bridge.index().buckets())
                .mapToLong(bucket -> bridge.index().census(bucket).waiting())
                .sum();
    }
}
