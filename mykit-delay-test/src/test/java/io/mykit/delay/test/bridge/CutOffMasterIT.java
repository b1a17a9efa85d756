package io.mykit.delay.test.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.queue.producer.CancelResult;
import io.mykit.delay.test.bucket.IndexSettings;
import io.mykit.delay.test.server.RedisCluster;
import io.mykit.delay.test.server.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The peers of a master of a Redis Cluster cannot reach it, and the bridge can. It is the first in the order of slots, and the only
 * one that the configuration names.
 */
@Tag("long")
class CutOffMasterIT extends BridgeFixture {
    private static final int BUCKETS = 9;
    private static final int MESSAGES = 90;
    private static final int SOME = 20;
    private static final long DUE_IN_MS = 15_000;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private RedisCluster redis;
    private RedisServer first;

    @Override
    protected Map<String, String> settings() {
        redis = RedisCluster.start(dir, "", "cluster-require-full-coverage no");
        first = redis.masters().get(0);
        Map<String, String> settings = super.settings();
        settings.put("mykit.delay.redis.uri", seed());
        settings.put("mykit.delay.redis.timeout", "2s");
        settings.put("mykit.delay.queue.name", "cut-off");
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
    void theQueueGoesOnWithThePromotedReplica() throws Exception {
        bridge.lead(1);
        RedisServer replica = redis.addReplica(first);
        long dueMs = bridge.clock().millis() + DUE_IN_MS;
        bridge.pushTogether(MESSAGES, i -> message("m" + i, dueMs));
        bridge.pushTogether(SOME, i -> message("cancelled" + i, dueMs));
        assertThat(first.command("DBSIZE")).isNotEqualTo(0L);
        await().until(() -> replica.command("DBSIZE").equals(first.command("DBSIZE")));

        // Until the master notices that it is alone it takes writes, and they are lost.
        redis.stopReplication(replica);
        redis.cutOff(first);
        for (int i = 0; i < SOME; i++) {
            String id = "cancelled" + i;
            await().atMost(Duration.ofSeconds(30))
                    .ignoreExceptionsInstanceOf(DelayException.class)
                    .until(() -> bridge.cancel(id) == CancelResult.CANCELLED);
        }
        bridge.pushTogether(MESSAGES, i -> message("tail" + i, dueMs));
        await().atMost(Duration.ofSeconds(30)).until(() -> replica.info("role").equals("master"));
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(bridge.index().check().details().toString())
                        .contains(replica.address().toString())
                        .doesNotContain(first.address().toString()));
        await().atMost(Duration.ofSeconds(20))
                .until(() -> bridge.index().check().up());
        assertThat(first.info("role")).as("alone, and not told").isEqualTo("master");
        assertANewNodeFindsIt();

        int count = 2 * MESSAGES;
        await().atMost(Duration.ofSeconds(30))
                .until(() -> bridge.channel().arrivals().size() >= count);
        assertThat(bridge.channel().arrivals())
                .as("each once, and none that was cancelled")
                .hasSize(count)
                .noneMatch(arrival -> arrival.message().id().startsWith("cancelled"))
                .allSatisfy(arrival -> assertThat(arrival.atMs()).isBetween(dueMs, dueMs + 20_000));

        redis.reconnect();
        await().atMost(Duration.ofSeconds(30)).until(first::isLinked);
        bridge.pushTogether(MESSAGES, i -> bridge.message("after" + i, "t", 0));
        await().atMost(Duration.ofSeconds(10))
                .until(() -> bridge.channel().arrivals().size() >= count + MESSAGES);
    }

    private void assertANewNodeFindsIt() {
        try (MessageIndex other = new IndexSettings(seed(), "other").open()) {
            List<DelayMessage> messages = IntStream.range(0, MESSAGES)
                    .mapToObj(i -> message("other" + i, bridge.clock().millis() + 3_600_000))
                    .toList();
            assertThat(other.schedule(messages)).containsOnly(ScheduleOutcome.SCHEDULED);
        }
    }

    private String seed() {
        return "redis-cluster://" + first.address();
    }

    private static DelayMessage message(String id, long dueMs) {
        return new DelayMessage(id, "t", "", "", "b", DUE_IN_MS, dueMs - DUE_IN_MS, dueMs, 0, 0);
    }
}
