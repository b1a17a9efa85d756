package io.mykit.delay.test.bucket;

import static io.mykit.delay.test.bucket.Messages.idsIn;
import static io.mykit.delay.test.bucket.Messages.message;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageRef;
import io.mykit.delay.queue.bucket.BucketLostException;
import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.queue.bucket.StrayCount;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.OwnedBuckets;
import io.mykit.delay.queue.recovery.StrayCollector;
import io.mykit.delay.test.message.MessageBuilder;
import io.mykit.delay.test.server.RedisServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The index while its Redis is down, frozen, full, emptied, or refuses the account. */
@Tag("long")
class RedisFaultsIT {
    private static final long EPOCH = 7;
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final Duration LEASE = Duration.ofMinutes(1);

    @TempDir
    private Path dir;

    private RedisServer server;
    private MessageIndex index;
    private final OwnedBucket[] owned = new OwnedBucket[4];

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
    void opensWithoutRedisAndFindsItLater() {
        server = RedisServer.start(dir, "");
        server.kill();
        index = settings(server.uri()).open();
        assertThat(index.check().up()).isFalse();
        assertThat(push("a")).isEqualTo(ScheduleOutcome.UNAVAILABLE);
        assertThatThrownBy(() -> claim(0)).isInstanceOf(IndexUnavailableException.class);
        server.restart();
        await().until(() -> index.check().up());
        assertThat(push("a")).isEqualTo(ScheduleOutcome.SCHEDULED);
    }

    @Test
    void recoversAfterAKill() {
        server = RedisServer.start(dir, "", "appendonly yes", "appendfsync always");
        index = settings(server.uri()).open();
        claimAll();
        assertThat(push("a")).isEqualTo(ScheduleOutcome.SCHEDULED);
        server.kill();
        assertBounded(() -> assertThat(push("b")).isEqualTo(ScheduleOutcome.UNAVAILABLE));
        assertBounded(() -> assertThatThrownBy(() -> owned[0].moveDue(10, Handover.NONE))
                .isInstanceOf(IndexUnavailableException.class)
                .hasMessageNotContaining(Integer.toString(server.port())));
        await().until(() -> !index.check().up());
        server.restart();
        await().until(() -> index.check().up());
        assertThat(index.locate(List.of("a"))).containsEntry("a", Location.WAITING);
        // It is all there, but the index cannot know that.
        assertThatThrownBy(() -> owned[0].moveDue(10, Handover.NONE)).isInstanceOf(BucketLostException.class);
        assertThat(claim(0)).isEqualTo(ClaimResult.OLDER);
        owned[0].moveDue(10, Handover.NONE);
        owned[0].markCompared();
        assertThat(claim(0)).isEqualTo(ClaimResult.HELD);
    }

    /** Then the leader has registered its leases again. */
    @Test
    void isNotSteadyForSomeSecondsAfterARestart() {
        server = RedisServer.start(dir, "");
        index = settings(server.uri()).open();
        claimAll();
        assertThat(index.isSteady("a")).isTrue();
        server.restart();
        await().until(() -> index.check().up());
        await().until(() -> push("a") == ScheduleOutcome.SCHEDULED);
        claimAll();
        assertThat(index.isSteady("a")).isFalse();
        await().atMost(Duration.ofSeconds(20)).until(() -> index.isSteady("a"));
    }

    /** The leader cannot reach the server. This node begins after the restart: it has seen no other process. */
    @Test
    void isNotSteadyBeforeALeaderHasClaimedTheBucketsOfAnOlderRedis() {
        server = RedisServer.start(dir, "");
        index = settings(server.uri()).open();
        claimAll();
        server.command("SAVE");
        server.restart();
        try (MessageIndex other = settings(server.uri()).open()) {
            await().until(() -> other.check().up());
            assertThat(other.isSteady("a")).isFalse();
            await().ignoreException(IndexUnavailableException.class)
                    .until(() -> claim(index.bucketOf("a")) == ClaimResult.OLDER);
            assertThat(other.isSteady("a")).isFalse();
            owned[index.bucketOf("a")].retake(List.of(), LEASE);
            assertThat(other.isSteady("a")).isTrue();
        }
    }

    /** A call of a leader is for the process that it claimed, even if another one answers at the address now. */
    @Test
    void noCallOfALeaderReachesAServerThatWasRestarted() {
        server = RedisServer.start(dir, "");
        index = settings(server.uri()).open();
        claimAll();
        String id = idsIn(index, 0, 1).get(0);
        index.schedule(List.of(message(id, "t", past())));
        server.command("SAVE");
        server.restart();
        await().until(() -> index.check().up());
        OwnerCalls.all("t", id).forEach((name, call) -> {
            await().ignoreException(IndexUnavailableException.class)
                    .untilAsserted(() -> assertThatThrownBy(() -> call.make(index, owned[0]))
                            .as(name)
                            .isInstanceOf(BucketLostException.class));
            assertThat(index.locate(List.of(id))).containsEntry(id, Location.WAITING);
        });
        assertThat(claim(0)).isEqualTo(ClaimResult.OLDER);
        assertThat(owned[0].moveDue(10, Handover.NONE).moved()).isEqualTo(1);
    }

    @Test
    void aServerThatDoesNotTellItsRunIdIsNeverTakenForAnother() {
        server = RedisServer.start(dir, "", "rename-command INFO \"\"");
        index = settings(server.uri()).open();
        claimAll();
        server.command("SAVE");
        server.restart();
        await().until(() -> index.check().up());
        await().ignoreException(IndexUnavailableException.class).until(() -> claim(0) == ClaimResult.HELD);
        owned[0].moveDue(10, Handover.NONE);
    }

    @Test
    void noticesThatRedisCameBackEmpty() {
        server = RedisServer.start(dir, "");
        index = settings(server.uri()).open();
        claimAll();
        server.restart();
        await().ignoreException(IndexUnavailableException.class)
                .untilAsserted(() -> assertThatThrownBy(() -> owned[0].moveDue(10, Handover.NONE))
                        .isInstanceOf(BucketLostException.class));
    }

    @Test
    void noticesFlushAll() {
        server = RedisServer.start(dir, "");
        index = settings(server.uri()).open();
        claimAll();
        push("a");
        server.command("FLUSHALL");
        assertThatThrownBy(() -> owned[0].moveDue(10, Handover.NONE)).isInstanceOf(BucketLostException.class);
        assertThat(push("a")).isEqualTo(ScheduleOutcome.SCHEDULED);
        assertThat(claim(0)).isEqualTo(ClaimResult.LOST);
    }

    /** Entries without a message lower the count, so that it may be zero although there are orphans. */
    @Test
    void orphansAreFoundBesideEntriesWithoutAMessage() {
        server = RedisServer.start(dir, "");
        index = settings(server.uri()).open();
        LeaderTerm term = new LeaderTerm(EPOCH, () -> {});
        OwnedBuckets buckets = new OwnedBuckets(index, term);
        buckets.claim(0);
        StrayCollector collector = new StrayCollector(index, term, buckets);
        List<String> ids = IntStream.range(0, 1000)
                .mapToObj(i -> "orphan-" + i)
                .filter(id -> index.bucketOf(id) == 0)
                .limit(4)
                .toList();
        ids.forEach(this::push);
        ids.subList(0, 2).forEach(id -> server.command("HDEL", keyOf("pool"), id));
        collector.runOnce();
        ids.subList(2, 4).forEach(id -> server.command("ZREM", keyOf("waiting:*"), id));
        assertThat(buckets.get(0).strays().orphans())
                .as("two orphans, two entries")
                .isZero();

        collector.runOnce();

        assertThat(index.locate(ids.subList(2, 4)).values()).containsExactly(Location.WAITING, Location.WAITING);
    }

    /** A cancelled message of a backlog leaves its id in the ready list. That is no lost key. */
    @Test
    void cancelledMessagesOfABacklogMakeItNoLonger() {
        server = RedisServer.start(dir, "");
        index = settings(server.uri()).open();
        LeaderTerm term = new LeaderTerm(EPOCH, () -> {});
        OwnedBuckets buckets = new OwnedBuckets(index, term);
        buckets.claim(0);
        StrayCollector collector = new StrayCollector(index, term, buckets);
        List<String> ids = dueIn0(20);
        await().until(() -> {
            buckets.get(0).moveDue(50, Handover.NONE);
            return buckets.get(0).ready().equals(Map.of("t", 20L));
        });
        collector.runOnce();
        for (int i = 10; i < 15; i++) {
            index.purge(List.of(new MessageRef(ids.get(i), 0)));
            collector.runOnce();
            buckets.get(0).moveDue(50, Handover.NONE);
            assertThat(buckets.get(0).strays()).isEqualTo(new StrayCount(0, i - 9, false, 1));
            assertThat(buckets.get(0).ready()).isEqualTo(Map.of("t", 20L));
        }
        assertThat(OwnerCalls.take(index, buckets.get(0), "t", 20, LEASE)).hasSize(15);
        assertThat(buckets.get(0).strays()).isEqualTo(new StrayCount(0, 0, false, 0));
    }

    @Test
    void clearedMessagesDoNotStayInTheReadyListOfATopicThatNobodyTakesFrom() {
        server = RedisServer.start(dir, "");
        index = settings(server.uri()).open();
        LeaderTerm term = new LeaderTerm(EPOCH, () -> {});
        OwnedBuckets buckets = new OwnedBuckets(index, term);
        buckets.claim(0);
        List<String> ids = dueIn0(20);
        await().until(() -> {
            buckets.get(0).moveDue(50, Handover.NONE);
            return buckets.get(0).ready().equals(Map.of("t", 20L));
        });
        index.purge(ids.stream().map(id -> new MessageRef(id, 0)).toList());
        new StrayCollector(index, term, buckets).runOnce();
        assertThat(buckets.get(0).ready()).isEmpty();
        assertThat(buckets.get(0).strays()).isEqualTo(new StrayCount(0, 0, false, 0));
    }

    /** Messages that were in a ready list when the orphans are collected are in one again, and each once. */
    @Test
    void collectingOrphansMakesReadyListsNoLonger() {
        server = RedisServer.start(dir, "");
        index = settings(server.uri()).open();
        LeaderTerm term = new LeaderTerm(EPOCH, () -> {});
        OwnedBuckets buckets = new OwnedBuckets(index, term);
        buckets.claim(0);
        List<String> ids = dueIn0(20);
        await().until(() -> {
            buckets.get(0).moveDue(50, Handover.NONE);
            return buckets.get(0).ready().equals(Map.of("t", 20L));
        });
        server.command("LREM", keyOf("ready:t"), "1", ids.get(3));
        new StrayCollector(index, term, buckets).runOnce();
        await().until(() -> {
            buckets.get(0).moveDue(50, Handover.NONE);
            return buckets.get(0).ready().equals(Map.of("t", 20L));
        });
        assertThat(OwnerCalls.take(index, buckets.get(0), "t", 20, LEASE))
                .extracting(DelayMessage::id)
                .containsExactlyInAnyOrderElementsOf(ids);
    }

    private List<String> dueIn0(int count) {
        List<String> ids = IntStream.range(0, 1000)
                .mapToObj(i -> "due-" + i)
                .filter(id -> index.bucketOf(id) == 0)
                .limit(count)
                .toList();
        long due = System.currentTimeMillis() - 2_000;
        index.schedule(ids.stream().map(id -> message(id, "t", due)).toList());
        return ids;
    }

    private String keyOf(String what) {
        List<?> keys = (List<?>) server.command("KEYS", "*:0/4}:" + what);
        assertThat(keys).hasSize(1);
        return new String((byte[]) keys.get(0), UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"waiting:t", "heads", "ready:t", "lease", "topics"})
    void whatALostKeyStrandsIsPutBack(String lost) {
        server = RedisServer.start(dir, "");
        index = settings(server.uri()).open();
        claimAll();
        // Buckets follow from ids: all of one bucket.
        List<String> ids = IntStream.range(0, 1000)
                .mapToObj(i -> "stray-" + i)
                .filter(id -> index.bucketOf(id) == 0)
                .limit(9)
                .toList();
        long due = System.currentTimeMillis() - 2_000;
        index.schedule(
                ids.subList(0, 6).stream().map(id -> message(id, "t", due)).toList());
        ids.subList(6, 9).forEach(this::push);
        await().until(() -> {
            owned[0].moveDue(10, Handover.NONE);
            return owned[0].ready().containsValue(6L);
        });
        assertThat(OwnerCalls.take(index, owned[0], "t", 3, LEASE)).hasSize(3);
        assertThat(owned[0].strays().orphans()).isZero();

        List<?> keys = (List<?>) server.command("KEYS", "*:0/4}:" + lost);
        assertThat(keys).hasSize(1);
        server.command("DEL", new String((byte[]) keys.get(0), UTF_8));

        assertThat(owned[0].strays().orphans()).isEqualTo(3);
        String cursor = "0";
        do {
            cursor = owned[0].collectStrays(cursor);
        } while (!cursor.equals("0"));
        assertThat(owned[0].strays().orphans())
                .as("entries of the ready list may be left")
                .isNotPositive();
        assertThat(index.locate(ids)).containsOnlyKeys(ids);
        // Each is delivered once more at most: nothing is in two places that count.
        Set<String> again = new HashSet<>();
        owned[0].leased(Long.MAX_VALUE, 10).forEach((topic, some) -> owned[0].release(topic, some, false));
        await().untilAsserted(() -> {
            owned[0].moveDue(10, Handover.NONE);
            OwnerCalls.take(index, owned[0], "t", 10, LEASE)
                    .forEach(message -> assertThat(again.add(message.id())).isTrue());
            assertThat(again).containsExactlyInAnyOrderElementsOf(ids.subList(0, 6));
        });
        assertThat(index.census(0).waiting()).isEqualTo(3);
    }

    @Test
    void isBoundedWhileRedisIsFrozen() throws Exception {
        server = RedisServer.start(dir, "");
        index = settings(server.uri()).open();
        claimAll();
        push("a");
        server.freeze();
        ExecutorService threads = Executors.newFixedThreadPool(40);
        try {
            List<Future<ScheduleOutcome>> pushes = new ArrayList<>();
            long begin = System.nanoTime();
            for (int i = 0; i < 40; i++) {
                String id = "m" + i;
                pushes.add(threads.submit(() -> push(id)));
            }
            for (Future<ScheduleOutcome> push : pushes) {
                assertThat(push.get()).isEqualTo(ScheduleOutcome.UNAVAILABLE);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(TIMEOUT.multipliedBy(4));
        } finally {
            threads.shutdownNow();
        }
        await().until(() -> !index.check().up());
        // It has been silent for longer than the timeout: no call waits any more.
        await().untilAsserted(() -> {
            long begin = System.nanoTime();
            assertThat(push("b")).isEqualTo(ScheduleOutcome.UNAVAILABLE);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofMillis(100));
        });
        server.thaw();
        await().until(() -> index.check().up());
        assertThat(push("c")).isEqualTo(ScheduleOutcome.SCHEDULED);
        assertThat(index.census(index.bucketOf("a")).waiting()).isPositive();
    }

    @Test
    void isBoundedWhileAWriteHangs() {
        server = RedisServer.start(dir, "");
        index = settings(server.uri()).open();
        push("a");
        String body = "b".repeat(1 << 20);
        List<DelayMessage> large = IntStream.range(0, 40)
                .mapToObj(i -> MessageBuilder.withId("m" + i)
                        .body(body)
                        .created(far())
                        .priority(5)
                        .build())
                .toList();
        server.freeze();
        long begin = System.nanoTime();
        assertThat(index.schedule(large)).containsOnly(ScheduleOutcome.UNAVAILABLE);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(TIMEOUT.multipliedBy(4));
        server.thaw();
        await().until(() -> index.check().up());
        assertThat(index.schedule(large)).doesNotContain(ScheduleOutcome.UNAVAILABLE);
        new RedisView(List.of(server), "test.delay", "faults", 4).assertNoOrphans();
    }

    @Test
    void isWholeAndCanBeDrainedWhileRedisIsFull() {
        server = RedisServer.start(dir, "", "maxmemory 8mb", "maxmemory-policy noeviction");
        index = settings(server.uri()).open();
        claimAll();
        RedisView view = new RedisView(List.of(server), "test.delay", "faults", 4);
        String body = "b".repeat(20_000);
        List<ScheduleOutcome> outcomes = new ArrayList<>();
        for (int i = 0; outcomes.stream().noneMatch(o -> o == ScheduleOutcome.UNAVAILABLE); i++) {
            outcomes.clear();
            List<DelayMessage> batch = new ArrayList<>();
            for (int j = 0; j < 20; j++) {
                batch.add(MessageBuilder.withId("m" + i + "-" + j)
                        .body(body)
                        .created(past())
                        .priority(5)
                        .build());
            }
            outcomes.addAll(index.schedule(batch));
            view.assertNoOrphans();
            assertThat(i).isLessThan(1000);
        }
        // A new leader can come, and everything that is due can go, also while nothing new can be taken.
        server.command("CONFIG", "SET", "maxmemory", "1mb");
        assertThat(index.veto(Refs.first("cancelled-" + past())))
                .as("so can a cancel")
                .isEmpty();
        for (int b = 0; b < 4; b++) {
            OwnedBucket owner = index.claim(b, EPOCH + 1);
            assertThat(owner.found()).isEqualTo(ClaimResult.HELD);
            while (owner.moveDue(10, Handover.NONE).moved() > 0) {
                List<DelayMessage> taken = OwnerCalls.take(index, owner, "t", 10, Duration.ofSeconds(30));
                assertThat(taken).isNotEmpty();
                owner.release("t", List.of(taken.get(0).id()), false);
                List<DelayMessage> again = OwnerCalls.take(index, owner, "t", 100, Duration.ofSeconds(30));
                owner.park(List.of(OwnerCalls.outcome(taken.get(0).id())));
                owner.settle(taken.stream().map(DelayMessage::id).toList());
                owner.settle(again.stream().map(DelayMessage::id).toList());
                owner.unpark(List.of(taken.get(0).id()));
            }
            assertThat(index.census(b).waiting()).isZero();
        }
        server.command("CONFIG", "SET", "maxmemory", "8mb");
        assertThat(push("a")).isEqualTo(ScheduleOutcome.SCHEDULED);
        view.assertNoOrphans();
    }

    @Test
    void doesNotTellThePassword() {
        server = RedisServer.start(dir, "right");
        String uri = "redis://:wr0ng-pa55@127.0.0.1:" + server.port();
        server.kill();
        index = settings(uri).open();
        server.restart();
        await().until(() -> index.check().details().toString().contains("WRONGPASS"));
        assertThat(index.check().up()).isFalse();
        assertThat(index.check().details().toString()).contains("WRONGPASS").doesNotContain("wr0ng-pa55");
        Throwable failure = catchThrowable(() -> index.census(0).waiting());
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        assertThat(failure).isInstanceOf(IndexUnavailableException.class).hasMessageContaining("WRONGPASS");
        assertThat(trace.toString()).doesNotContain("wr0ng-pa55");
        assertThat(push("a")).isEqualTo(ScheduleOutcome.UNAVAILABLE);
    }

    /** 100 bytes of body, 20 characters of id. The C library's allocator adds eight bytes to each of six blocks. */
    @Test
    void needsLittleMemory() {
        server = RedisServer.start(dir, "");
        index = settings(server.uri()).open();
        index.locate(List.of("a"));
        long before = Long.parseLong(server.info("used_memory"));
        int count = 40_000;
        for (int from = 0; from < count; from += 1000) {
            index.schedule(IntStream.range(from, from + 1000)
                    .mapToObj(i -> MessageBuilder.withId("01JD3ZZZZZ%010d".formatted(i))
                            .topic("orders")
                            .body("b".repeat(100))
                            .created(far())
                            .delay(60_000)
                            .priority(5)
                            .build())
                    .toList());
        }
        assertThat(IntStream.range(0, 4)
                        .mapToLong(b -> index.census(b).waiting())
                        .sum())
                .isEqualTo(count);
        long each = (Long.parseLong(server.info("used_memory")) - before) / count;
        assertThat(each)
                .as("bytes of each waiting message")
                .isLessThan(server.info("mem_allocator").startsWith("jemalloc") ? 300 : 360);
    }

    private static IndexSettings settings(String uri) {
        return new IndexSettings(uri, "faults").withTimeout(TIMEOUT);
    }

    private void claimAll() {
        for (int b = 0; b < index.buckets(); b++) {
            claim(b);
            owned[b].retake(List.of(), LEASE);
            owned[b].markRestored();
        }
    }

    private ClaimResult claim(int bucket) {
        owned[bucket] = index.claim(bucket, EPOCH);
        return owned[bucket].found();
    }

    private ScheduleOutcome push(String id) {
        return index.schedule(List.of(message(id, "t", far()))).get(0);
    }

    private long far() {
        return index.timeMs() + 3_600_000;
    }

    private long past() {
        return index.timeMs() - 1000;
    }

    private static void assertBounded(Runnable call) {
        long begin = System.nanoTime();
        call.run();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(TIMEOUT.multipliedBy(2));
    }
}
