package io.mykit.delay.test.bridge;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.WAIT_PUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import io.mykit.delay.queue.operator.ClearOrder;
import io.mykit.delay.queue.operator.ClearReport;
import io.mykit.delay.queue.operator.RestoreOrder;
import io.mykit.delay.queue.operator.RestoreReport;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.test.server.RedisCluster;
import io.mykit.delay.test.server.RedisServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** One of three Redis shards is silent. The leader's work for the buckets of the two others goes on. */
@Tag("long")
class SilentShardIT extends BridgeFixture {
    private static final int BUCKETS = 9;
    private static final int MESSAGES = 120;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private RedisCluster redis;
    private Set<Integer> silent = Set.of();

    @Override
    protected Map<String, String> settings() {
        redis = RedisCluster.start(dir, "", "cluster-require-full-coverage no");
        Map<String, String> settings = super.settings();
        settings.put("mykit.delay.redis.uri", redis.uri());
        settings.put("mykit.delay.redis.timeout", "500ms");
        settings.put("mykit.delay.queue.name", "silent-shard");
        settings.put("mykit.delay.queue.buckets", "" + BUCKETS);
        settings.put("mykit.delay.queue.horizon", "5s");
        settings.put("mykit.delay.recovery.page-size", "50");
        return settings;
    }

    @AfterEach
    void closeCluster() {
        redis.close();
    }

    @Test
    void everyLoopGoesOnForTheBucketsOfTheOtherShards() throws Exception {
        bridge.lead(1);
        bridge.pushTogether(MESSAGES, i -> bridge.message("m" + i, "t", 9_000));
        assertThat(count(WAIT_PUT)).isEqualTo(MESSAGES);
        bridge.push(bridge.message("first", "t", 0));
        awaitStatus("first", FINISH);
        RedisServer frozen = redis.masters().stream()
                .filter(master -> !keys(master, "layout").isEmpty())
                .findFirst()
                .orElseThrow();
        silent = bucketsOf(frozen);
        assertThat(silent).as("of the shard that knows the number of buckets").isNotEmpty();
        assertThat(silent).hasSizeLessThan(BUCKETS);
        frozen.freeze();
        List<DelayMessage> lost = insertBehindTheIndexBack();
        parkBehindTheIndexBack(lost.get(lost.size() - 1));

        // The loader, and the scanners.
        for (int i = 0; i < MESSAGES; i++) {
            if (isServed("m" + i)) {
                awaitStatus("m" + i, FINISH);
            }
        }
        assertThat(bridge.channel().arrivals()).allSatisfy(arrival -> assertThat(arrival.atMs())
                .as("%s", arrival.message().id())
                .isBetween(
                        arrival.message().dueTimeMs(),
                        arrival.message().dueTimeMs() + (arrival.message().id().startsWith("lost") ? 10_000 : 5_000)));
        // The auditor and the recorder of parked outcomes.
        for (DelayMessage message : lost) {
            if (isServed(message.id())) {
                awaitStatus(message.id(), FINISH);
            }
        }
        // Operators.
        RestoreReport restored = bridge.operators().restoreAll(RestoreOrder.all(true));
        assertThat(restored.unreachable()).isPositive();
        String far = served("far");
        String stuck = IntStream.range(0, 1000)
                .mapToObj(i -> "stuck" + i)
                .filter(id -> !isServed(id))
                .findFirst()
                .orElseThrow();
        bridge.push(bridge.message(far, "t", 600_000));
        bridge.push(bridge.message(stuck, "t", 600_000));
        await().until(() -> bridge.clock().millis()
                > bridge.store().find(stuck).orElseThrow().message().createTimeMs());
        ClearReport cleared = bridge.operators().clear(ClearOrder.ALL);
        assertThat(cleared.unreachable()).isPositive();
        assertThat(bridge.status(far)).isEqualTo(DELETE);
        assertThat(bridge.status(stuck)).isEqualTo(WAIT_PUT);

        // Also when the number of buckets, which is read every ten seconds, cannot be read any more.
        String last = served("last");
        bridge.push(bridge.message(last, "t", 4_000));
        awaitStatus(last, FINISH);

        frozen.thaw();
        for (int i = 0; i < MESSAGES; i++) {
            String id = "m" + i;
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> !bridge.channel().arrivals(id).isEmpty());
        }
        for (DelayMessage message : lost) {
            await().atMost(Duration.ofSeconds(20)).until(() -> bridge.store().states(List.of(message.id())).stream()
                    .noneMatch(row -> row.status().isUnfinished()));
        }
        assertThat(bridge.operators().clear(ClearOrder.ALL))
                .satisfies(report -> assertThat(report.unreachable()).isZero());
        assertThat(bridge.status(stuck)).isEqualTo(DELETE);
    }

    private int count(MessageStatus status) {
        return (int) bridge.store().count(status);
    }

    /** Rows in DELAY that the index does not know, one for each bucket, and one more. */
    private List<DelayMessage> insertBehindTheIndexBack() {
        List<DelayMessage> messages = new ArrayList<>();
        for (int i = 0; i < 3 * BUCKETS; i++) {
            messages.add(insert("lost" + i, 0));
        }
        messages.add(insert(served("lost-parked"), 600_000));
        return messages;
    }

    private DelayMessage insert(String id, long delayMs) {
        DelayMessage message = bridge.message(id, "t", delayMs);
        bridge.store().insert(List.of(new NewMessage(message, DELAY)));
        return message;
    }

    private void parkBehindTheIndexBack(DelayMessage message) {
        long nowMs = bridge.clock().millis();
        ParkedOutcome outcome = new ParkedOutcome(message.id(), 0, FINISH, nowMs, nowMs, 0, "");
        bridge.index().claim(bridge.index().bucketOf(message.id()), 1).park(List.of(outcome));
    }

    private boolean isServed(String id) {
        return !silent.contains(bridge.index().bucketOf(id));
    }

    private String served(String prefix) {
        return IntStream.range(0, 1000)
                .mapToObj(i -> prefix + i)
                .filter(this::isServed)
                .findFirst()
                .orElseThrow();
    }

    /** By the keys that it has: each bucket that was claimed has an epoch. */
    private static Set<Integer> bucketsOf(RedisServer master) {
        return keys(master, "epoch").stream()
                .map(key -> Integer.valueOf(key.replaceAll(".*:(\\d+)/\\d+}:epoch", "$1")))
                .collect(Collectors.toSet());
    }

    private static List<String> keys(RedisServer master, String what) {
        List<?> keys = (List<?>) master.command("KEYS", "*:" + what);
        return keys.stream()
                .map(key -> new String((byte[]) key, StandardCharsets.UTF_8))
                .toList();
    }
}
