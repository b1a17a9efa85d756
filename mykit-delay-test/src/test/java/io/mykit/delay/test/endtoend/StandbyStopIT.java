package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How long the stop of a standby serves requests, with the default of {@code http.drain}. */
@Tag("long")
class StandbyStopIT {
    private static final Duration DRAIN = Duration.ofSeconds(5);
    private static final Duration LONG = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(StandbyStopIT.class);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void aStandbyThatNoClientUsesStopsAtOnceAndOneInUseServesOn() {
        try (RedisServer redis = RedisServer.start(dir.resolve("redis"), "standby-stop")) {
            Map<String, String> settings = settings(redis);
            try (DelayServer leader = DelayServer.start("leader", dir.resolve("leader"), settings)) {
                await().atMost(LONG).until(leader::isLeader);
                try (DelayServer standby = DelayServer.start("standby", dir.resolve("standby"), settings)) {
                    assertThat(standby.isLeader()).as("a probe").isFalse();
                    awaitStarts(standby, 1);
                    Duration unused = stopTime(standby);
                    assertThat(standby.log()).contains("serves requests for at least 0 ms");

                    standby.restart();
                    awaitStarts(standby, 2);
                    standby.client().push(Map.of("topic", "orders", "id", "used", "delay", 3_600_000));
                    Duration used = stopTime(standby);
                    assertThat(standby.log()).contains("serves requests for at least 5000 ms");
                    assertThat(used).as("unused: " + unused).isGreaterThanOrEqualTo(DRAIN);
                    LOG.info("The stop of a standby: {} without traffic, {} in use", unused, used);
                }
            }
        }
    }

    /** A node is ready a moment before its start has ended. */
    private static void awaitStarts(DelayServer server, int starts) {
        await().atMost(LONG).until(() -> server.log().split("started in", -1).length > starts);
    }

    private static Duration stopTime(DelayServer server) {
        long begunNanos = System.nanoTime();
        server.terminate();
        assertThat(server.awaitExit(LONG)).hasValue(0);
        return Duration.ofNanos(System.nanoTime() - begunNanos);
    }

    private static Map<String, String> settings(RedisServer redis) {
        Map<String, String> settings = new HashMap<>();
        settings.put("mode", "master-standby");
        settings.put("registry.server-list", SharedServers.zooKeeper().connectString());
        settings.put("redis.uri", redis.uri());
        settings.put("datasource.url", SharedServers.mysql().freshDatabase("standby_stop"));
        settings.put("datasource.username", "root");
        settings.put("delivery.default-channel", "console");
        settings.put("queue.name", "standby-stop-" + System.nanoTime());
        return settings;
    }
}
