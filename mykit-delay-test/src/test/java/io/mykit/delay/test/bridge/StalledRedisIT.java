package io.mykit.delay.test.bridge;

import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.test.server.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A Redis that stalls at the moment when messages fall due: it executes their scans and takes, and the answers are lost. */
class StalledRedisIT extends BridgeFixture {
    private static final int COUNT = 300;
    /** A lease lasts a minute by default. */
    private static final long TTL_SECONDS = 30;
    /** Two seconds, and as many again for a busy machine. */
    private static final long SOON_MS = 4_000;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private RedisServer redis;

    @Override
    protected Map<String, String> settings() {
        redis = RedisServer.start(dir.resolve("redis"), "stalled");
        Map<String, String> settings = super.settings();
        settings.put("mykit.delay.redis.uri", redis.uri());
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
        long due = bridge.clock().millis() + 1_500;
        bridge.pushTogether(
                COUNT,
                i -> new DelayMessage(
                        "m" + i, "topic" + i % 3, "", "", "b", 1_500, due - 1_500, due + i % 500, 0, TTL_SECONDS));
        await().until(() -> bridge.clock().millis() > due - 100);
        redis.freeze();
        // Longer than redis.timeout (2 s): each scanner gave up its call, and Redis still has it in a socket.
        await().atMost(Duration.ofSeconds(10)).until(() -> bridge.clock().millis() > due + 2_900);
        redis.thaw();
        long thawed = bridge.clock().millis();
        await().atMost(Duration.ofSeconds(20))
                .until(() -> bridge.channel().arrivals().size() == COUNT + 1);
        assertThat(bridge.channel().arrivals()).allSatisfy(arrival -> assertThat(arrival.atMs())
                .as("delivered soon after Redis answers again")
                .isLessThan(thawed + SOON_MS));
        for (int i = 0; i < COUNT; i++) {
            awaitStatus("m" + i, FINISH);
        }
        assertIndexEmpty();
    }
}
