package io.mykit.delay.test.bridge;

import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.test.server.RedisAccount;
import io.mykit.delay.test.server.RedisServer;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bridge on a Redis that accepts only the account of docs/security.md. */
@Tag("long")
class RedisAccountBridgeIT extends BridgeFixture {
    @TempDir
    private static Path dir;

    private static RedisServer server;
    private static String uri;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start(dir, "admin");
        uri = RedisAccount.make(server, "io.mykit.delay");
    }

    @AfterAll
    static void closeServer() {
        server.close();
    }

    @Override
    protected Map<String, String> settings() {
        Map<String, String> settings = super.settings();
        settings.put("mykit.delay.redis.uri", uri);
        return settings;
    }

    @Test
    void delivers() throws Exception {
        bridge.lead(1);
        bridge.pushTogether(200, i -> bridge.message("m" + i, "t" + i % 3, i));
        for (int i = 0; i < 200; i++) {
            awaitStatus("m" + i, FINISH);
        }
        bridge.push(bridge.message("cancelled", "t", 60_000));
        bridge.cancel("cancelled");
        assertThat(bridge.status("cancelled")).isEqualTo(DELETE);
        bridge.push(bridge.message("moved", "t", 60_000));
        assertThat(bridge.pushAsync(bridge.message("moved", "t", 100), true).get(10, TimeUnit.SECONDS))
                .isEqualTo(PushResult.REPLACED);
        awaitStatus("moved", FINISH);

        bridge.pushTogether(50, i -> bridge.message("restored" + i, "t", 3_000));
        server.command("FLUSHALL");
        for (int i = 0; i < 50; i++) {
            awaitStatus("restored" + i, FINISH);
        }
        assertIndexEmpty();
        assertThat(RedisAccount.refusals(server)).isEmpty();
    }
}
