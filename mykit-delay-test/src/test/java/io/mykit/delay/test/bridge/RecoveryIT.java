package io.mykit.delay.test.bridge;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.EXPIRED;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.common.message.MessageStatus.RESTORE;
import static io.mykit.delay.common.message.MessageStatus.WAIT_PUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.Take;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.operator.ClearOrder;
import io.mykit.delay.queue.operator.ClearReport;
import io.mykit.delay.queue.operator.RestoreOrder;
import io.mykit.delay.queue.operator.RestoreReport;
import io.mykit.delay.queue.store.NewMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Messages that were lost between the store and the index come back. */
class RecoveryIT extends BridgeFixture {

    @Override
    protected Map<String, String> settings() {
        Map<String, String> settings = super.settings();
        settings.put("mykit.delay.recovery.page-size", "100");
        return settings;
    }

    @Test
    void rowsThatTheIndexNeverGotAreFoundOnceTheyAreOverdue() {
        bridge.lead(1);
        // As a crash between commit and scheduling leaves it. The first walk of the term may be over already.
        DelayMessage orphan = bridge.message("orphan", "t", 100);
        bridge.store().insert(List.of(new NewMessage(orphan, DELAY)));
        awaitStatus("orphan", FINISH);
        assertThat(bridge.channel().arrivals("orphan")).singleElement().satisfies(arrival -> assertThat(arrival.atMs())
                .isGreaterThanOrEqualTo(orphan.dueTimeMs()));
        assertLegalPath("orphan");
    }

    @Test
    void whatIsLostBehindALongBacklogIsFoundBeforeThatIsGoneThrough() throws Exception {
        bridge.channel().script("dead", message -> Delivery.unavailable("broker is down"));
        int backlog = 5000;
        bridge.pushTogether(backlog, i -> bridge.message("dead" + i, "dead", 0));
        bridge.lead(1);
        // The first walk goes through all at once; the next one takes a second for each of fifty pages.
        await().atMost(Duration.ofSeconds(30))
                .until(() -> bridge.measured("mykit.delay.recovery.rows", "work", "audit") > backlog);
        bridge.store().insert(List.of(new NewMessage(bridge.message("lost", "t", 0), DELAY)));
        awaitStatus("lost", FINISH);
    }

    @Test
    void aNewLeaderFindsRowsThatAreNotYetDueAsWell() {
        bridge.store().insert(List.of(new NewMessage(bridge.message("far", "t", 1_800_000), DELAY)));
        bridge.lead(1);
        await().atMost(Duration.ofSeconds(10))
                .until(() -> !bridge.index().locate(List.of("far")).isEmpty());
    }

    @Test
    void theLoaderBringsWaitingRows() {
        bridge.store().insert(List.of(new NewMessage(bridge.message("later", "t", 200), WAIT_PUT)));
        bridge.lead(1);
        awaitStatus("later", FINISH);
        assertThat(path("later")).containsExactly(WAIT_PUT, DELAY, READY, FINISH);
    }

    @Test
    void whatADeadLeaderHadTakenIsGivenBack() throws Exception {
        bridge.push(bridge.message("taken", "t", 0));
        int bucket = bridge.index().bucketOf("taken");
        OwnedBucket owner = bridge.index().claim(bucket, 1);
        await().until(() -> owner.moveDue(10, Handover.NONE).moved() == 1);
        Take taken = bridge.index()
                .take(List.of(owner), "t", 10, Duration.ofMinutes(10))
                .get(0);
        assertThat(taken.messages()).hasSize(1);
        bridge.lead(2);
        awaitStatus("taken", FINISH);
        assertIndexEmpty();
    }

    @Test
    void aFencedLeaderMovesNothing() throws Exception {
        LeaderTerm old = bridge.lead(1);
        bridge.push(bridge.message("first", "t", 0));
        awaitStatus("first", FINISH);
        for (int bucket = 0; bucket < bridge.index().buckets(); bucket++) {
            bridge.index().claim(bucket, 2);
        }
        bridge.push(bridge.message("second", "t", 0));
        await().atMost(Duration.ofSeconds(10)).until(() -> !old.isActive());
        assertThat(bridge.channel().arrivals("second")).isEmpty();
        bridge.rest();
        bridge.lead(3);
        awaitStatus("second", FINISH);
    }

    @Test
    void restoreSchedulesWhatIsMissingAndLeavesTheRestAlone() throws Exception {
        bridge.push(bridge.message("known", "t", 1_800_000));
        List<NewMessage> missing = IntStream.range(0, 250)
                .mapToObj(i -> new NewMessage(
                        bridge.message("missing" + i, "t", 1_800_000 + i), i % 2 == 0 ? DELAY : WAIT_PUT))
                .toList();
        bridge.store().insert(missing);
        RestoreReport report = bridge.operators().restoreAll(RestoreOrder.all(true));
        assertThat(report.rows()).isEqualTo(251);
        assertThat(report.scheduled()).isEqualTo(250);
        assertThat(bridge.index()
                        .locate(missing.stream().map(m -> m.message().id()).toList()))
                .hasSize(250);
        assertThat(path("known")).containsExactly(DELAY);
        assertThat(path("missing0")).containsExactly(DELAY, RESTORE, DELAY);
        assertLegalPath("missing1");
        RestoreReport again = bridge.operators().restoreAll(RestoreOrder.all(true));
        assertThat(again.rows()).isEqualTo(251);
        assertThat(again.scheduled()).isZero();
    }

    @Test
    void restoreWithoutTheOverdueEndsThem() throws Exception {
        bridge.push(bridge.message("overdue", "t", 0));
        bridge.push(bridge.message("waiting", "t", 1_800_000));
        await().until(() -> bridge.clock().millis()
                > bridge.store().find("overdue").orElseThrow().message().dueTimeMs());
        RestoreReport report = bridge.operators().restoreAll(RestoreOrder.all(false));
        assertThat(report.expired()).isEqualTo(1);
        assertThat(bridge.status("overdue")).isEqualTo(EXPIRED);
        assertThat(bridge.status("waiting")).isEqualTo(DELAY);
        bridge.lead(1);
        bridge.push(bridge.message("witness", "t", 0));
        awaitStatus("witness", FINISH);
        assertThat(bridge.channel().arrivals("overdue")).isEmpty();
    }

    @Test
    void oneMessageIsPutBackWhateverItsStatus() throws Exception {
        bridge.lead(1);
        assertThat(bridge.operators().restoreOne("nobody")).isFalse();
        bridge.push(bridge.message("again", "t", 0, 60));
        awaitStatus("again", FINISH);
        assertThat(bridge.operators().restoreOne("again")).isTrue();
        await().atMost(Duration.ofSeconds(10))
                .until(() -> bridge.channel().arrivals("again").size() == 2);
        bridge.push(bridge.message("cancelled", "t", 60_000));
        bridge.cancel("cancelled");
        assertThat(bridge.operators().restoreOne("cancelled")).isTrue();
        assertThat(path("cancelled")).containsExactly(DELAY, DELETE, RESTORE, DELAY);
        awaitStatus("again", FINISH);
        assertThat(path("again")).containsExactly(DELAY, READY, FINISH, RESTORE, DELAY, READY, FINISH);
        assertLegalPath("again");
    }

    @Test
    void clearCancelsWhatIsUnfinishedAndLetsNewOnesLive() throws Exception {
        CompletableFuture<?>[] pushes = IntStream.range(0, 250)
                .mapToObj(i -> bridge.pushAsync(bridge.message("old" + i, "t", i % 2 == 0 ? 1_800_000 : 0), false))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(pushes).get(10, TimeUnit.SECONDS);
        bridge.push(bridge.message("last", "t", 0));
        await().until(() -> bridge.clock().millis()
                > bridge.store().find("last").orElseThrow().message().createTimeMs());
        ClearReport report = bridge.operators().clear(ClearOrder.ALL);
        assertThat(report.rows()).isEqualTo(251);
        bridge.push(bridge.message("new", "t", 0));
        bridge.lead(1);
        awaitStatus("new", FINISH);
        assertThat(bridge.channel().arrivals()).hasSize(1);
        assertThat(bridge.status("old0")).isEqualTo(DELETE);
        assertThat(bridge.status("old1")).isEqualTo(DELETE);
        assertLegalPath("old1");
        assertIndexEmpty();
    }
}
