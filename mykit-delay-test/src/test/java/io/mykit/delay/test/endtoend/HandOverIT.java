package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.fault.network.TcpProxy;
import io.mykit.delay.test.fault.network.Weather;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Two packaged servers that hand leadership over: because one of them cannot work, and because it is stopped. */
@Tag("long")
class HandOverIT {
    private static final Logger LOG = LoggerFactory.getLogger(HandOverIT.class);
    private static final Duration UNFIT_AFTER = Duration.ofSeconds(3);
    private static final Duration DRAIN = Duration.ofSeconds(10);
    /** To notice, and to end a term whose last calls have to time out. */
    private static final Duration SLACK = Duration.ofSeconds(15);

    private static final Duration PATIENCE = Duration.ofSeconds(40);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path dir;

    private static final AtomicInteger MESSAGES = new AtomicInteger();
    private static RedisServer redis;
    private static List<Node> nodes;

    /** A server, and its own wire to Redis. */
    private record Node(DelayServer server, TcpProxy toRedis) {
        static Node start(String name, Map<String, String> shared) {
            TcpProxy wire = new TcpProxy(redis.port());
            Map<String, String> settings = new HashMap<>(shared);
            settings.put("redis.uri", "redis://127.0.0.1:" + wire.port() + "/0");
            return new Node(DelayServer.start(name, dir.resolve(name), settings), wire);
        }

        JSONObject health() {
            return server.client().health().dataObject();
        }

        long epoch() {
            return health().getLongValue("epoch");
        }

        JSONObject registry() {
            return health().getJSONObject("checks").getJSONObject("registry").getJSONObject("details");
        }

        boolean isWell() {
            return registry().getJSONArray("cannotUse").isEmpty();
        }
    }

    @BeforeAll
    static void start() {
        redis = RedisServer.start(dir.resolve("redis"), "");
        Map<String, String> shared = Map.of(
                "mode",
                "master-standby",
                "registry.server-list",
                SharedServers.zooKeeper().connectString(),
                "registry.unfit-after",
                UNFIT_AFTER.toMillis() + "ms",
                "datasource.url",
                SharedServers.mysql().freshDatabase("hand_over"),
                "datasource.username",
                "root",
                "delivery.default-channel",
                "console",
                "http.drain",
                DRAIN.toMillis() + "ms",
                "queue.name",
                "hand-over-" + System.nanoTime());
        nodes = List.of(Node.start("one", shared), Node.start("two", shared));
    }

    @AfterAll
    static void stop() {
        nodes.forEach(node -> {
            node.server().kill();
            node.toRedis().close();
        });
        redis.close();
    }

    @Test
    void aLeaderWhoseWireToRedisIsCutGivesWay() {
        Node first = leader();
        Node second = other(first);
        for (Weather weather : new Weather[] {Weather.CUT, Weather.SILENT}) {
            await().atMost(PATIENCE).until(() -> first.isWell() && second.isWell());
            Node leader = leader();
            Node standby = other(leader);
            long begin = System.nanoTime();
            leader.toRedis().become(weather);
            String id = push(standby);
            await().atMost(UNFIT_AFTER.plus(SLACK)).until(standby.server()::isLeader);
            LOG.info(
                    "{}: another leader after {} ms",
                    weather,
                    Duration.ofNanos(System.nanoTime() - begin).toMillis());
            awaitFinished(standby, id);
            assertThat(leader.registry().getJSONObject("gaveWay").getString("because"))
                    .contains("index");
            assertThat(leader.server().log()).contains("Giving leadership up for");

            leader.toRedis().become(Weather.FAIR);
            long epoch = standby.epoch();
            await().atMost(PATIENCE).until(leader::isWell);
            await().atMost(PATIENCE).during(UNFIT_AFTER.plusSeconds(1)).until(() -> standby.epoch() == epoch);
        }
    }

    @Test
    void aRedisThatIsLostForAllMovesNoLeader() {
        Node leader = leader();
        Node standby = other(leader);
        await().atMost(PATIENCE).until(() -> leader.isWell() && standby.isWell());
        long epoch = leader.epoch();
        redis.kill();
        await().atMost(PATIENCE).until(() -> !leader.isWell() && !standby.isWell());
        String id = push(standby);
        await().atMost(PATIENCE).during(UNFIT_AFTER.plusSeconds(2)).until(() -> leader.epoch() == epoch);
        redis.restart();
        awaitFinished(standby, id);
        await().atMost(PATIENCE).until(() -> leader.isWell() && standby.isWell());
        assertThat(leader.epoch()).isEqualTo(epoch);
    }

    @Test
    void aNodeThatIsToldToStopIsNotReadyAndServesOnForAWhile() {
        Node stopping = leader();
        Node standby = other(stopping);
        DelayClient client = stopping.server().client();
        long begin = System.nanoTime();
        stopping.server().terminate();
        await().atMost(DRAIN).until(() -> client.get("/health/ready").status() == 503);
        assertThat(client.get("/health/ready").error()).isEqualTo("STOPPING");
        push(stopping);
        await().atMost(DRAIN).pollInterval(Duration.ofMillis(20)).until(standby.server()::isLeader);
        Duration ledAfter = since(begin);
        assertThat(ledAfter).isLessThan(DRAIN);
        Answer last = null;
        String id = push(stopping);
        while (stopping.server().isAlive() && (last = answer(client)) != null) {
            assertThat(last.error()).isEqualTo("STOPPING");
        }
        Duration servedFor = since(begin);
        assertThat(stopping.server().stop()).as("exit code").isZero();
        LOG.info("stop: led elsewhere after {}, refused after {}, ended after {}", ledAfter, servedFor, since(begin));
        assertThat(servedFor).isGreaterThanOrEqualTo(DRAIN);
        awaitFinished(standby, id);
        stopping.server().restart();
    }

    @Test
    void aSecondSignalEndsTheDrain() {
        Node leader = leader();
        Node stopping = other(leader);
        stopping.server().terminate();
        await().until(() -> stopping.server().client().get("/health/ready").status() == 503);
        long begin = System.nanoTime();
        stopping.server().terminate();
        assertThat(stopping.server().stop()).isZero();
        LOG.info("ended {} after the second signal", since(begin));
        stopping.server().restart();
        assertThat(stopping.server().log()).contains("A second signal: the stop waits for nothing more");
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    /** Null once the port is closed. */
    private static Answer answer(DelayClient client) {
        try {
            return client.get("/health/ready");
        } catch (RuntimeException refused) {
            return null;
        }
    }

    private static Node leader() {
        return await().atMost(PATIENCE)
                .until(
                        () -> nodes.stream()
                                .filter(node -> node.server().isLeader())
                                .toList(),
                        some -> some.size() == 1)
                .get(0);
    }

    private static Node other(Node node) {
        return nodes.get(1 - nodes.indexOf(node));
    }

    private static String push(Node node) {
        String id = "m" + MESSAGES.incrementAndGet();
        Answer answer = node.server().client().push(Map.of("topic", "t", "id", id, "delay", 100));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return id;
    }

    private static void awaitFinished(Node node, String id) {
        await().atMost(PATIENCE).until(() -> "FINISH"
                .equals(node.server().client().job(id).dataObject().getString("statusName")));
    }
}
