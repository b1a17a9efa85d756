package io.mykit.delay.test.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.producer.CancelResult;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.test.server.RedisCluster;
import io.mykit.delay.test.server.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A master of a Redis Cluster dies, and its replica, which lacks the last pushes, cancels and replacements, takes its place. */
@Tag("long")
class ShardFailoverIT extends BridgeFixture {
    private static final int BUCKETS = 9;
    private static final int MESSAGES = 900;
    private static final int SOME = 20;
    private static final long DUE_IN_MS = 25_000;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private RedisCluster redis;

    @Override
    protected Map<String, String> settings() {
        redis = RedisCluster.start(dir, "", "cluster-require-full-coverage no");
        Map<String, String> settings = super.settings();
        settings.put("mykit.delay.redis.uri", redis.uri());
        settings.put("mykit.delay.redis.timeout", "2s");
        settings.put("mykit.delay.queue.name", "shard-failover");
        settings.put("mykit.delay.queue.buckets", "" + BUCKETS);
        // The auditor would find a message half a minute after it was due.
        settings.put("mykit.delay.recovery.grace", "30s");
        return settings;
    }

    @AfterEach
    void closeCluster() {
        redis.close();
    }

    @Test
    void whatThePromotedReplicaLacksIsDeliveredInTimeAndWhatItHasTooMuchIsNot() throws Exception {
        bridge.lead(1);
        RedisServer master = redis.owner(bucketKey(0));
        RedisServer replica = redis.addReplica(master);
        long dueMs = bridge.clock().millis() + DUE_IN_MS;
        bridge.pushTogether(MESSAGES, i -> message("m" + i, dueMs + i));
        bridge.pushTogether(SOME, i -> message("cancelled" + i, dueMs));
        List<DelayMessage> replaced = IntStream.range(0, SOME)
                .mapToObj(i -> message("replaced" + i, dueMs))
                .toList();
        bridge.pushTogether(SOME, replaced::get);
        await().until(() -> replica.command("DBSIZE").equals(master.command("DBSIZE")));
        assertThat(replica.command("DBSIZE")).isNotEqualTo(0L);

        replica.freeze();
        for (int i = 0; i < SOME; i++) {
            assertThat(bridge.cancel("cancelled" + i)).isEqualTo(CancelResult.CANCELLED);
        }
        for (DelayMessage old : replaced) {
            assertThat(bridge.pushAsync(old.withBody("new"), true).get(30, TimeUnit.SECONDS))
                    .isEqualTo(PushResult.REPLACED);
        }
        bridge.pushTogether(MESSAGES, i -> message("tail" + i, dueMs + i));
        master.kill();
        replica.thaw();
        await().atMost(Duration.ofSeconds(30)).until(() -> replica.info("role").equals("master"));

        int count = 2 * MESSAGES + SOME;
        await().atMost(Duration.ofSeconds(60))
                .until(() -> bridge.channel().arrivals().size() >= count);
        assertThat(bridge.channel().arrivals())
                .as("each once, and none that was cancelled")
                .hasSize(count)
                .noneMatch(arrival -> arrival.message().id().startsWith("cancelled"))
                .noneMatch(arrival -> arrival.message().id().startsWith("replaced")
                        && !arrival.message().body().equals("new"))
                .allSatisfy(arrival -> assertThat(arrival.atMs())
                        .isBetween(
                                arrival.message().dueTimeMs(), arrival.message().dueTimeMs() + 20_000));
    }

    private static DelayMessage message(String id, long dueMs) {
        return new DelayMessage(id, "t", "", "", "b", DUE_IN_MS, dueMs - DUE_IN_MS, dueMs, 0, 0);
    }

    private String bucketKey(int bucket) {
        return "{shard-failover:" + bucket + "/" + BUCKETS + "}";
    }
}
