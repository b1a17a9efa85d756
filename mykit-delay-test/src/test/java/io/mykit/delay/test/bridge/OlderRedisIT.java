package io.mykit.delay.test.bridge;

import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.producer.CancelResult;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.test.bridge.ScriptedChannel.Arrival;
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

/** A Redis that is restarted from a snapshot, and so lacks later pushes, cancels, replacements and deliveries. */
class OlderRedisIT extends BridgeFixture {
    private static final int SOME = 20;
    /** The intake refuses more that wait at the same time. */
    private static final int TOGETHER = 10_000;

    /** The auditor would find a message ten seconds after it was due, and a thousand of them a second. */
    private static final long LATE_MS = 9_000;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private RedisServer redis;

    @Override
    protected Map<String, String> settings() {
        redis = RedisServer.start(dir.resolve("redis"), "older");
        Map<String, String> settings = super.settings();
        settings.put("mykit.delay.redis.uri", redis.uri());
        settings.put("mykit.delay.redis.timeout", "2s");
        settings.put("mykit.delay.recovery.interval", "1s");
        settings.put("mykit.delay.recovery.grace", "10s");
        return settings;
    }

    @AfterEach
    void closeServer() {
        redis.close();
    }

    @Test
    @Tag("long")
    void whatTheSnapshotLacksIsDeliveredInTimeAndWhatItHasTooMuchIsNot() throws Exception {
        loseTheTail(20_000, 15_000, 6_000);
    }

    @Test
    @Tag("nightly")
    void aLongTailIsDeliveredInTimeToo() throws Exception {
        loseTheTail(50_000, 30_000, 15_000);
    }

    /**
     * @param count messages that are pushed after the snapshot
     * @param dueInMs the delay of the first of them
     * @param spreadMs the due times of all lie within this time
     */
    private void loseTheTail(int count, long dueInMs, long spreadMs) throws Exception {
        bridge.lead(1);
        bridge.pushTogether(SOME, i -> bridge.message("cancelled" + i, "t", 1_800_000));
        bridge.pushTogether(SOME, i -> bridge.message("due-and-cancelled" + i, "t", dueInMs));
        bridge.pushTogether(SOME, i -> bridge.message("delivered" + i, "t", 1_500));
        List<DelayMessage> replaced = IntStream.range(0, SOME)
                .mapToObj(i -> bridge.message("replaced" + i, "t", dueInMs))
                .toList();
        bridge.pushTogether(SOME, replaced::get);
        redis.command("SAVE");
        for (int i = 0; i < SOME; i++) {
            assertThat(bridge.cancel("cancelled" + i)).isEqualTo(CancelResult.CANCELLED);
            assertThat(bridge.cancel("due-and-cancelled" + i)).isEqualTo(CancelResult.CANCELLED);
        }
        for (DelayMessage old : replaced) {
            // The due time stays, so that nothing but the version tells the two apart.
            assertThat(bridge.pushAsync(old.withBody("new"), true).get(30, TimeUnit.SECONDS))
                    .isEqualTo(PushResult.REPLACED);
        }
        long due = bridge.clock().millis() + dueInMs;
        for (int from = 0; from < count; from += TOGETHER) {
            int first = from;
            bridge.pushTogether(TOGETHER, i -> tail(first + i, due + (first + i) % spreadMs, dueInMs));
        }
        awaitStatus("delivered" + (SOME - 1), FINISH);
        redis.restart();

        await().atMost(Duration.ofSeconds(20))
                .until(() -> bridge.measured("mykit.delay.recovery.rows", "work", "compare") > 0);
        await().atMost(Duration.ofMillis(dueInMs + spreadMs + 25_000))
                .until(() -> bridge.channel().arrivals().size() >= count + 2 * SOME);
        assertThat(bridge.channel().arrivals())
                .as("each once, and none that was cancelled")
                .hasSize(count + 2 * SOME)
                .noneMatch(arrival -> arrival.message().id().contains("cancelled"));
        for (DelayMessage old : replaced) {
            assertThat(bridge.channel().arrivals(old.id()))
                    .extracting(arrival -> arrival.message().body())
                    .containsExactly("new");
        }
        assertThat(bridge.channel().arrivals().stream()
                        .filter(arrival -> arrival.message().id().startsWith("tail"))
                        .mapToLong(OlderRedisIT::lateMs)
                        .max()
                        .orElseThrow())
                .as("ms late")
                .isLessThan(LATE_MS);
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(bridge.recovery().details()).isEmpty());
        assertThat(bridge.status("cancelled0")).isEqualTo(DELETE);
        assertIndexEmpty();
    }

    /** A reconnect is no reason to go through all rows. */
    @Test
    void aServerThatWasOnlySilentIsNotCompared() throws Exception {
        bridge.lead(1);
        bridge.push(bridge.message("far", "t", 1_800_000));
        redis.command("CLIENT", "KILL", "TYPE", "normal");
        redis.freeze();
        await().atMost(Duration.ofSeconds(10))
                .until(() -> !bridge.index().check().up());
        redis.thaw();
        bridge.push(bridge.message("near", "t", 100));
        awaitStatus("near", FINISH);
        assertThat(bridge.measured("mykit.delay.recovery.rows", "work", "compare"))
                .isZero();
        assertThat(bridge.index().locate(List.of("far"))).hasSize(1);
    }

    private static DelayMessage tail(int number, long dueMs, long delayMs) {
        return new DelayMessage("tail" + number, "t" + number % 3, "", "", "b", delayMs, dueMs - delayMs, dueMs, 0, 0);
    }

    private static long lateMs(Arrival arrival) {
        return arrival.atMs() - arrival.message().dueTimeMs();
    }
}
