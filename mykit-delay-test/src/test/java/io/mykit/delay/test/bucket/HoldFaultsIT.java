package io.mykit.delay.test.bucket;

import static io.mykit.delay.test.bucket.Messages.idsIn;
import static io.mykit.delay.test.bucket.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.bucket.Handout;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.Held;
import io.mykit.delay.queue.bucket.HoldIndex;
import io.mykit.delay.queue.bucket.HoldState;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.Portion;
import io.mykit.delay.queue.bucket.PulledTopics;
import io.mykit.delay.queue.bucket.Removal;
import io.mykit.delay.test.server.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds of consumers while their Redis loses a key, restarts, or is full. */
@Tag("long")
class HoldFaultsIT {
    private static final long EPOCH = 7;
    private static final Duration HOLD = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final PulledTopics TOPICS = PulledTopics.of(Map.of("p", true), false);
    private static final Handover HANDOVER = new Handover(List.of(), 10, LEASE, TOPICS);

    @TempDir
    private Path dir;

    private RedisServer server;
    private MessageIndex index;
    private HoldIndex holds;
    private OwnedBucket owner;
    private RedisView view;

    @AfterEach
    void close() {
        if (index != null) {
            index.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @Test
    void aLostReceiptLeavesTheMessageHandedOut() {
        open();
        String id = due(1).get(0);
        handOut(1, SHORT, "r1");
        server.command("DEL", view.key(0, "held:p"));
        assertThat(holds.holds(List.of(new Held(id, "r1")))).containsEntry(id, HoldState.FREE);
        assertThat(index.locate(List.of(id))).containsEntry(id, Location.TAKEN);
        assertThat(index.remove(id)).as("a consumer works on it").isEqualTo(Removal.TOO_LATE);
        assertThat(index.purge(Refs.first(id))).containsExactly(id);
        await().until(() -> owner.moveDue(10, HANDOVER).taken().size() == 1);
        view.assertNoOrphans();
    }

    @Test
    void aHeldMessageWhoseWaitingSetIsLostIsReadyAgain() {
        open();
        String id = due(1).get(0);
        handOut(1, HOLD, "r1");
        server.command("DEL", view.key(0, "waiting:p"));
        assertThat(owner.strays().orphans()).isEqualTo(1);
        assertThat(holds.holds(List.of(new Held(id, "r1")))).containsEntry(id, HoldState.FREE);
        owner.collectStrays(OwnedBucket.FIRST_PAGE);
        await().until(() -> owner.moveDue(10, HANDOVER).topics().contains("p"));
        assertThat(holds.topics("", "", 10)).singleElement().satisfies(census -> {
            assertThat(census.held()).isZero();
            assertThat(census.ready()).isEqualTo(1);
        });
        assertThat(handOut(1, HOLD, "r2").messages())
                .extracting(DelayMessage::id)
                .containsExactly(id);
        view.assertNoOrphans();
    }

    @Test
    void aMessageWhosePoolIsLostIsDroppedWhenItsHoldEnds() {
        open();
        due(1);
        handOut(1, SHORT, "r1");
        server.command("DEL", view.key(0, "pool"));
        await().until(() -> owner.moveDue(10, HANDOVER).moved() == 1);
        assertThat(server.command("EXISTS", view.key(0, "waiting:p"), view.key(0, "held:p"), view.key(0, "lease")))
                .isEqualTo(0L);
    }

    @Test
    void holdsOutliveARestart() {
        server = RedisServer.start(dir, "", "appendonly yes", "appendfsync always");
        open(server);
        List<String> ids = due(2);
        handOut(2, HOLD, "r1");
        server.restart();
        await().until(() -> index.check().up());
        await().ignoreException(IndexUnavailableException.class)
                .until(() -> holds.holds(List.of(new Held(ids.get(0), "r1"))).containsValue(HoldState.HELD));
        assertThat(index.claim(0, EPOCH).found()).isEqualTo(ClaimResult.OLDER);
        owner = index.claim(0, EPOCH);
        assertThat(holds.forget(List.of(new Held(ids.get(0), "r1")))).containsOnlyKeys(ids.get(0));
        assertThat(holds.release(List.of(new Held(ids.get(1), "r1")), true)).containsExactly(ids.get(1));
        assertThat(handOut(1, SHORT, "r2").suspect()).as("not compared yet").isTrue();
        await().until(() -> owner.moveDue(10, HANDOVER).taken().size() == 1);
        view.assertNoOrphans();
    }

    @Test
    void aFullRedisIsDrainedByItsConsumers() {
        open();
        List<String> ids = due(6);
        List<String> waiting = idsIn(index, 0, 8).subList(6, 8);
        index.schedule(List.of(
                message(waiting.get(0), "plain", index.timeMs() - 1000),
                message(waiting.get(1), "plain", index.timeMs() + 3_600_000)));
        index.remove(waiting.get(0));
        server.command("CONFIG", "SET", "maxmemory", "100kb");
        owner.moveDue(10, HANDOVER);
        handOut(6, HOLD, "r1");
        assertThat(holds.extend(List.of(new Held(ids.get(0), "r1")), SHORT)).hasSize(1);
        assertThat(holds.forget(List.of(new Held(ids.get(1), "r1")))).hasSize(1);
        assertThat(holds.release(List.of(new Held(ids.get(2), "r1")), true)).hasSize(1);
        assertThat(holds.postpone(
                        Map.of(new Held(ids.get(3), "r1"), message(ids.get(3), "p", index.timeMs() + 3_600_000)), true))
                .hasSize(1);
        assertThat(holds.park(Map.of(new Held(ids.get(4), "r1"), OwnerCalls.outcome(ids.get(4)))))
                .hasSize(1);
        Handover busy = new Handover(List.of("p"), 10, LEASE, TOPICS);
        long end = index.timeMs() + SHORT.toMillis();
        await().until(() -> owner.moveDue(10, busy).nowMicros() / 1000 > end);
        await().until(() -> owner.moveDue(10, HANDOVER).taken().size() == 1);
        owner.release("p", List.of(ids.get(0)), false);
        assertThat(handOut(6, HOLD, "r2").messages())
                .extracting(DelayMessage::id)
                .containsExactly(ids.get(0), ids.get(2));
        view.assertNoOrphans();
    }

    private void open() {
        server = RedisServer.start(dir, "");
        open(server);
    }

    private void open(RedisServer started) {
        IndexSettings settings = new IndexSettings(started.uri(), "holds").withTimeout(Duration.ofSeconds(3));
        index = settings.open();
        holds = index.holds();
        owner = index.claim(0, EPOCH);
        owner.markRestored();
        view = new RedisView(List.of(started), settings.prefix(), settings.name(), settings.buckets());
    }

    /** Messages in the ready list of bucket 0. */
    private List<String> due(int count) {
        List<String> ids = idsIn(index, 0, count);
        long due = index.timeMs() - 2000;
        for (int i = 0; i < count; i++) {
            index.schedule(List.of(message(ids.get(i), "p", due + i)));
        }
        await().until(() -> {
            owner.moveDue(10, HANDOVER);
            return owner.ready().containsValue((long) count);
        });
        return ids;
    }

    private Handout handOut(int limit, Duration hold, String receipt) {
        Handout handout = holds.handOut(List.of(0), "p", new Portion(limit, 10_000, true), hold, receipt)
                .get(0);
        assertThat(handout.failure()).isNull();
        return handout;
    }
}
