package io.mykit.delay.test.bucket;

import static io.mykit.delay.test.bucket.Messages.idsIn;
import static io.mykit.delay.test.bucket.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.test.server.RedisCluster;
import io.mykit.delay.test.server.RedisSentinel;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SlotMove;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The index goes where the master, or the slot, goes. */
@Tag("long")
class RedisFailoverIT {
    private static final Duration FAILOVER = Duration.ofSeconds(30);

    @TempDir
    private Path dir;

    @Test
    void followsTheMasterThatTheSentinelsName() {
        try (RedisSentinel redis = RedisSentinel.start(dir, "pw");
                MessageIndex index = open(redis.uri());
                MessageIndex other = open(redis.uri())) {
            RedisServer first = redis.master();
            assertThat(push(index, "a")).isEqualTo(ScheduleOutcome.SCHEDULED);
            await().until(() -> first.info("slave0").contains("lag=0")
                    && offset(first.info("slave0")).equals(first.info("master_repl_offset")));
            first.kill();
            await().atMost(FAILOVER).until(() -> push(index, "b") == ScheduleOutcome.SCHEDULED);
            RedisServer second = redis.servers().get(1);
            redis.awaitMaster(second);
            assertThat(index.locate(List.of("a"))).containsEntry("a", Location.WAITING);
            await().until(() -> index.check().up()
                    && index.check()
                            .details()
                            .toString()
                            .contains(second.address().toString()));
            assertNoticesArrive(index, other);

            first.restart();
            await().atMost(FAILOVER).until(first::isLinked);
            second.freeze();
            await().atMost(FAILOVER).until(() -> push(index, "c") == ScheduleOutcome.SCHEDULED);
            redis.awaitMaster(first);
            assertThat(index.locate(List.of("a", "b"))).hasSize(2);
            second.thaw();
            assertNoticesArrive(index, other);
        }
    }

    /** Another server took writes in between, and this one may lack them. */
    @Test
    void aServerThatIsTheMasterAgainIsOlder() {
        try (RedisSentinel redis = RedisSentinel.start(dir, "");
                MessageIndex index = open(redis.uri())) {
            RedisServer first = redis.master();
            index.claim(0, 1).markRestored();
            assertThat(index.claim(0, 1).found()).isEqualTo(ClaimResult.HELD);
            redis.failOver();
            redis.awaitWhole();
            redis.failOver();
            redis.awaitMaster(first);
            await().atMost(FAILOVER)
                    .ignoreException(IndexUnavailableException.class)
                    .until(() -> index.claim(0, 1).found() == ClaimResult.OLDER);
        }
    }

    @Test
    void followsSentinelsThatWereSetUpAnew() {
        try (RedisSentinel redis = RedisSentinel.start(dir, "")) {
            RedisServer first = redis.master();
            redis.failOver();
            RedisServer second = redis.master();
            try (MessageIndex index = open(redis.uri())) {
                await().atMost(FAILOVER).until(() -> push(index, "a") == ScheduleOutcome.SCHEDULED);
                // The other server is the master now, by an epoch that is lower. The one before still takes writes.
                first.command("REPLICAOF", "NO", "ONE");
                redis.monitorAnew(first);
                await().atMost(FAILOVER).until(() -> index.check()
                        .details()
                        .toString()
                        .contains(first.address().toString()));
                assertThat(push(index, "b")).isEqualTo(ScheduleOutcome.SCHEDULED);
                assertThat((Long) first.command("DBSIZE")).isPositive();
                assertThat(second.info("role")).isEqualTo("master");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void followsThePromotedReplicaOfTheFirstMaster(boolean silent) {
        try (RedisCluster redis = RedisCluster.start(dir, "")) {
            RedisServer first = redis.masters().get(0);
            RedisServer replica = redis.addReplica(first);
            try (MessageIndex index = open(redis.uri())) {
                String id = IntStream.range(0, index.buckets())
                        .filter(bucket -> redis.owner(key(bucket)) == first)
                        .mapToObj(bucket -> idsIn(index, bucket, 1).get(0))
                        .findFirst()
                        .orElseThrow();
                assertThat(push(index, id)).isEqualTo(ScheduleOutcome.SCHEDULED);
                if (silent) {
                    first.freeze();
                } else {
                    first.kill();
                }
                await().atMost(FAILOVER).pollInterval(Duration.ofMillis(10)).until(() -> replica.info("role")
                        .equals("master"));
                await().pollInterval(Duration.ofMillis(10))
                        .atMost(Duration.ofSeconds(10))
                        .until(() -> push(index, id) != ScheduleOutcome.UNAVAILABLE);
            }
        }
    }

    @Test
    void aFrozenClusterNodeSpoilsOnlyItsOwnBuckets() {
        try (RedisCluster redis = RedisCluster.start(dir, "");
                MessageIndex index = open(redis.uri())) {
            List<String> ids = new ArrayList<>();
            for (int b = 0; b < index.buckets(); b++) {
                ids.add(idsIn(index, b, 1).get(0));
            }
            List<RedisServer> owners =
                    ids.stream().map(id -> redis.owner(key(index.bucketOf(id)))).toList();
            RedisServer frozen = owners.get(0);
            assertThat(owners).anyMatch(owner -> owner != frozen);
            frozen.freeze();
            List<ScheduleOutcome> outcomes = index.schedule(
                    ids.stream().map(id -> message(id, "t", far(index))).toList());
            for (int i = 0; i < outcomes.size(); i++) {
                assertThat(outcomes.get(i))
                        .isEqualTo(owners.get(i) == frozen ? ScheduleOutcome.UNAVAILABLE : ScheduleOutcome.SCHEDULED);
            }
            frozen.thaw();
            await().atMost(FAILOVER).until(() -> push(index, ids.get(0)) != ScheduleOutcome.UNAVAILABLE);
        }
    }

    @Test
    void followsASlotThatMoves() {
        try (RedisCluster redis = RedisCluster.start(dir, "");
                MessageIndex index = open(redis.uri())) {
            List<String> ids = idsIn(index, 0, 3);
            push(index, ids.get(0));
            SlotMove move = SlotMove.begin(redis, key(0));
            move.move(100);
            // One key: ASK is followed. Several keys, of which some are not there: Redis answers TRYAGAIN until the
            // slot has moved, and then the message may wait in the store.
            assertThat(index.census(0).waiting()).as("asked elsewhere").isEqualTo(1);
            assertThat(push(index, ids.get(1))).isIn(ScheduleOutcome.SCHEDULED, ScheduleOutcome.UNAVAILABLE);
            move.end();
            assertThat(push(index, ids.get(1))).isNotEqualTo(ScheduleOutcome.UNAVAILABLE);
            assertThat(push(index, ids.get(2))).as("moved").isEqualTo(ScheduleOutcome.SCHEDULED);
            assertThat(index.locate(ids)).hasSize(3).containsValue(Location.WAITING);
            assertThat(move.to().command("EXISTS", key(0))).isEqualTo(1L);
        }
    }

    /** A new subscription wakes all buckets once; only a notice of another node wakes a single one. */
    private static void assertNoticesArrive(MessageIndex from, MessageIndex to) {
        String id = idsIn(from, 2, 1).get(0);
        Set<Integer> seen = ConcurrentHashMap.newKeySet();
        to.onEarlier(seen::add);
        await().atMost(FAILOVER).pollInterval(Duration.ofMillis(300)).until(() -> {
            boolean arrived = seen.equals(Set.of(2));
            seen.clear();
            from.purge(Refs.first(id));
            from.schedule(List.of(message(id, "t", from.timeMs() + 1000)));
            return arrived;
        });
        from.purge(Refs.first(id));
    }

    private static MessageIndex open(String uri) {
        return new IndexSettings(uri, "failover")
                .withTimeout(Duration.ofSeconds(2))
                .open();
    }

    private static ScheduleOutcome push(MessageIndex index, String id) {
        return index.schedule(List.of(message(id, "t", far(index)))).get(0);
    }

    private static long far(MessageIndex index) {
        return index.timeMs() + 3_600_000;
    }

    private static String key(int bucket) {
        return "test.delay:{failover:" + bucket + "/4}:waiting:t";
    }

    /** The offset in {@code ip=..,port=..,state=online,offset=123,lag=0}. */
    private static String offset(String replica) {
        return replica.replaceAll(".*offset=(\\d+),.*", "$1");
    }
}
