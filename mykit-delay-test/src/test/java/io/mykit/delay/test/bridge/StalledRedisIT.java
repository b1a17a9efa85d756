package io.mykit.delay.test.bridge;

import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.test.bridge.ScriptedChannel.Arrival;
import io.mykit.delay.test.server.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A Redis that stalls at the moment when messages fall due: it executes their scans and takes, and the answers are lost. */
@Tag("long")
class StalledRedisIT extends BridgeFixture {
    private static final int COUNT = 300;
    /** A lease lasts a minute by default. */
    private static final long TTL_SECONDS = 30;

    private static final long WAIT_MS = 2_500;
    /** A freeze takes its time on a busy machine. */
    private static final long EARLIER_MS = 500;

    /** The promise: all are delivered so soon after Redis answers again. */
    private static final long SOON_MS = 2_000;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private RedisServer redis;

    @Override
    protected Map<String, String> settings() {
        redis = RedisServer.start(dir.resolve("redis"), "stalled");
        Map<String, String> settings = super.settings();
        settings.put("mykit.delay.redis.uri", redis.uri());
        settings.put("mykit.delay.redis.timeout", "2s");
        return settings;
    }

    @AfterEach
    void closeServer() {
        redis.close();
    }

    @Test
    void whatFallsDueInAStallIsDeliveredWhenItIsOver() throws Exception {
        bridge.lead(1);
        bridge.push(bridge.message("witness", "t", 0));
        awaitStatus("witness", FINISH);
        long due = bridge.clock().millis() + WAIT_MS;
        bridge.pushTogether(
                COUNT,
                i -> new DelayMessage(
                        "m" + i, "topic" + i % 3, "", "", "b", WAIT_MS, due - WAIT_MS, due + i * 5L, 0, TTL_SECONDS));
        await().until(() -> bridge.clock().millis() > due - EARLIER_MS);
        redis.freeze();
        // Longer than redis.timeout (2 s): each scanner gave up its call, and Redis still has it in a socket.
        await().atMost(Duration.ofSeconds(10)).until(() -> bridge.clock().millis() > due + 2_900);
        assertThat(bridge.channel().arrivals())
                .as("Redis was frozen before all messages were due")
                .hasSizeLessThan(COUNT);
        redis.thaw();
        redis.command("PING");
        long answers = System.currentTimeMillis();
        // A machine that has no time for a thread which only sleeps has none for the bridge. So the bound is longer by
        // the time that such a thread lost, and by nothing else.
        long lostMs;
        try (Sleeper sleeper = new Sleeper()) {
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> bridge.channel().arrivals().size() == COUNT + 1);
            lostMs = sleeper.lostMs();
        }
        long last = bridge.channel().arrivals().stream()
                .mapToLong(Arrival::atMs)
                .max()
                .orElseThrow();
        assertThat(last - answers)
                .as("ms from Redis' answer to the last arrival, and a thread that only slept lost %d ms", lostMs)
                .isLessThan(SOON_MS + lostMs);
        for (int i = 0; i < COUNT; i++) {
            awaitStatus("m" + i, FINISH);
        }
        assertIndexEmpty();
    }
}
