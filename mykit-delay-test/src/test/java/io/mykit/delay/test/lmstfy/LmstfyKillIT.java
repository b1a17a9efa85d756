package io.mykit.delay.test.lmstfy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.FreePorts;
import io.mykit.delay.test.server.MySqlServer;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The port of lmstfy on two nodes while a part is killed during publish, consume and ack: each job whose publish was answered is consumed, and
 * no job is handed out after its ack was answered.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LmstfyKillIT {
    private static final int BEFORE = 200;
    private static final int AFTER = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path dir;

    private final List<Integer> ports = List.of(FreePorts.next(), FreePorts.next());
    private MySqlServer mysql;
    private RedisServer redis;
    private DelayServer one;
    private DelayServer two;

    @BeforeAll
    void start() {
        mysql = MySqlServer.start(dir.resolve("mysql"));
        redis = RedisServer.start(dir.resolve("redis"), "lmstfyKill");
        Map<String, String> settings = new HashMap<>();
        settings.put("mode", "master-standby");
        settings.put("registry.server-list", SharedServers.zooKeeper().connectString());
        settings.put("redis.uri", redis.uri());
        settings.put("datasource.url", mysql.freshDatabase("lmstfy"));
        settings.put("datasource.username", "root");
        settings.put("datasource.timeout", "2s");
        settings.put("queue.name", "lmstfy-" + System.nanoTime());
        settings.put("lmstfy.open", "true");
        one = node("one", settings, ports.get(0));
        two = node("two", settings, ports.get(1));
        await().atMost(PATIENCE).until(() -> one.isLeader() != two.isLeader());
    }

    private static DelayServer node(String name, Map<String, String> settings, int port) {
        Map<String, String> own = new HashMap<>(settings);
        own.put("lmstfy.port", "" + port);
        return DelayServer.start(name, dir.resolve(name), own);
    }

    @AfterAll
    void stop() throws Exception {
        for (AutoCloseable part : new AutoCloseable[] {one, two, redis, mysql}) {
            if (part != null) {
                part.close();
            }
        }
    }

    @Test
    void aKilledLeaderLosesNothing() throws InterruptedException {
        DelayServer leader = one.isLeader() ? one : two;
        DelayServer other = one.isLeader() ? two : one;
        during("leader", () -> {
            leader.kill();
            await().atMost(PATIENCE).until(other::isLeader);
        });
        leader.restart();
    }

    @Test
    void aKilledRedisLosesNothing() throws InterruptedException {
        during("redis", () -> {
            redis.kill();
            redis.restart();
        });
    }

    @Test
    void aKilledDatabaseLosesNothing() throws InterruptedException {
        during("database", () -> {
            mysql.kill();
            mysql.restart();
        });
    }

    private void during(String queue, Runnable fault) throws InterruptedException {
        try (LmstfyTraffic traffic = new LmstfyTraffic(ports, queue)) {
            await().atMost(PATIENCE).until(() -> traffic.published() >= BEFORE && traffic.acked() >= BEFORE / 2);
            fault.run();
            int published = traffic.published() + AFTER;
            int acked = traffic.acked() + AFTER;
            await().atMost(PATIENCE).until(() -> traffic.published() >= published && traffic.acked() >= acked);
            traffic.stopProducers();
            await().atMost(PATIENCE).until(traffic::isConsumed);
            traffic.drain();
            assertThat(traffic.faults()).isEmpty();
        }
    }
}
