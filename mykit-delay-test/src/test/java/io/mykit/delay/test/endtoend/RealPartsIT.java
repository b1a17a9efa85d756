package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.delivery.ActiveMqInbox;
import io.mykit.delay.test.delivery.RocketMqInbox;
import io.mykit.delay.test.server.ActiveMqServer;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.MySqlServer;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import io.mykit.delay.test.store.FlowAudit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * One packaged server on a MySQL, a Redis, and three kinds of channel of its own, while each part is lost in turn. In
 * order: the last test looks at every row that the others left.
 */
@Tag("nightly")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RealPartsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path dir;

    private final String rocketTopic = "real-parts-" + System.nanoTime();
    private MySqlServer mysql;
    private RedisServer redis;
    private ActiveMqServer activeMq;
    private String database;
    private DelayServer server;
    private DelayClient client;

    @BeforeAll
    void start() {
        mysql = MySqlServer.start(dir.resolve("mysql"));
        redis = RedisServer.start(dir.resolve("redis"), "realParts");
        activeMq = ActiveMqServer.start(dir.resolve("activemq"));
        database = mysql.freshDatabase("delay");
        Map<String, String> settings = new HashMap<>();
        settings.put("redis.uri", redis.uri());
        settings.put("datasource.url", database);
        settings.put("datasource.username", "root");
        settings.put("datasource.timeout", "2s");
        settings.put("activemq.broker-url", activeMq.url());
        settings.put("rocketmq.namesrv-addr", SharedServers.rocketMq().nameServerAddress());
        settings.put("delivery.topics." + rocketTopic, "rocketmq");
        settings.put("delivery.topics.shown", "console");
        settings.put("delivery.retry-max", "2s");
        server = DelayServer.start("server", dir, settings);
        client = server.client();
    }

    @AfterAll
    void stop() throws Exception {
        for (AutoCloseable part : new AutoCloseable[] {server, activeMq, redis, mysql}) {
            if (part != null) {
                part.close();
            }
        }
    }

    @Test
    @Order(1)
    void eachTopicTakesItsChannel() {
        push("to-rocket", rocketTopic, 300);
        push("to-active", "active", 300);
        push("to-console", "shown", 300);
        try (Inbox rocket = new RocketMqInbox(SharedServers.rocketMq().nameServerAddress(), rocketTopic);
                Inbox active = ActiveMqInbox.ofQueue(activeMq.url(), "active")) {
            // RocketMQ may hand the first message of a topic to its consumer twice on a busy machine, both with one
            // UNIQ_KEY.
            assertThat(rocket.await(1, PATIENCE)).extracting(Arrival::id).containsOnly("to-rocket");
            assertThat(active.awaitExactly(1, PATIENCE)).extracting(Arrival::id).containsExactly("to-active");
        }
        await().atMost(PATIENCE).until(() -> server.log().contains("to-console"));
        awaitStatus("to-rocket", "FINISH");
        awaitStatus("to-active", "FINISH");
        awaitStatus("to-console", "FINISH");
    }

    @Test
    @Order(2)
    void aDeadBrokerHoldsUpOnlyItsOwnTopics() {
        activeMq.kill();
        for (int i = 0; i < 30; i++) {
            push("held-" + i, "held", 0);
        }
        awaitStatus("held-0", "READY");
        for (int i = 0; i < 30; i++) {
            push("free-" + i, rocketTopic, 0);
        }
        for (int i = 0; i < 30; i++) {
            awaitStatus("free-" + i, "FINISH");
        }
        assertThat(status("held-0")).isEqualTo("READY");
        // The broker is tried with this message from time to time.
        await().atMost(PATIENCE).until(() -> client.delete("held-0").status() == 200);
        assertThat(client.health().dataObject().getString("status")).isEqualTo("DEGRADED");
        activeMq.restart();
        try (Inbox inbox = ActiveMqInbox.ofQueue(activeMq.url(), "held")) {
            assertThat(inbox.awaitExactly(29, PATIENCE)).extracting(Arrival::id).doesNotHaveDuplicates();
        }
        for (int i = 1; i < 30; i++) {
            awaitStatus("held-" + i, "FINISH");
        }
    }

    @Test
    @Order(3)
    void twentyThousandSurviveFlushAll() {
        List<String> cancelled = new ArrayList<>();
        for (int batch = 0; batch < 40; batch++) {
            List<Map<String, Object>> items = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                int n = batch * 500 + i;
                items.add(Map.of("id", "flush-" + n, "topic", rocketTopic, "delay", 30_000 + n % 3_000, "body", "x"));
            }
            assertThat(client.pushBatch(items).status()).isEqualTo(200);
            if (batch % 2 == 0) {
                String id = "flush-" + batch * 500;
                assertThat(client.delete(id).data()).isEqualTo(id);
                cancelled.add(id);
            }
        }
        redis.command("FLUSHALL");
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> rows("status = 3 AND id LIKE 'flush-%'") == 19_980);
        assertThat(rows("status = 4 AND id LIKE 'flush-%'")).isEqualTo(20);
        try (Inbox inbox = new RocketMqInbox(SharedServers.rocketMq().nameServerAddress(), rocketTopic)) {
            await().atMost(PATIENCE)
                    .until(() -> inbox.arrivals().stream()
                                    .filter(arrival -> arrival.id().matches("flush-\\d+"))
                                    .count()
                            >= 19_980);
            List<Arrival> arrivals = inbox.arrivals().stream()
                    .filter(arrival -> arrival.id().matches("flush-\\d+"))
                    .toList();
            assertThat(arrivals).as("each exactly once").hasSize(19_980);
            assertThat(arrivals).extracting(Arrival::id).doesNotHaveDuplicates().doesNotContainAnyElementsOf(cancelled);
            assertThat(arrivals).allSatisfy(arrival -> assertThat(arrival.arrivedAtMs())
                    .isGreaterThanOrEqualTo(arrival.dueTimeMs()));
        }
    }

    @Test
    @Order(4)
    void withoutMySqlEverythingIsRefusedAndNothingChanges() {
        push("kept", rocketTopic, 1_800_000);
        mysql.kill();
        Answer refused = client.push(Map.of("topic", rocketTopic, "id", "nowhere", "body", "x"));
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.error()).isEqualTo("STORE_UNAVAILABLE");
        for (String call :
                List.of("/reStore", "/clearAll", "/reStoreJob?jobId=kept", "/delete?jobId=kept", "/job/kept")) {
            assertThat(client.get(call).error()).as(call).isEqualTo("STORE_UNAVAILABLE");
        }
        assertThat(client.get("/health/ready").status()).isEqualTo(503);
        assertThat(client.get("/health/live").status()).isEqualTo(200);
        mysql.restart();
        await().atMost(PATIENCE).until(() -> client.get("/health/ready").status() == 200);
        assertThat(status("kept")).isEqualTo("DELAY");
        assertThat(client.job("nowhere").status()).isEqualTo(404);
        assertThat(client.delete("kept").data()).isEqualTo("kept");
    }

    @Test
    @Order(5)
    void aMySqlThatRefusesWritesIsNotReady() {
        mysql.execute("SET GLOBAL super_read_only = ON");
        try {
            await().atMost(PATIENCE).until(() -> client.get("/health/ready").status() == 503);
            Answer refused = client.push(Map.of("topic", rocketTopic, "id", "unwritten", "body", "x"));
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.error()).isEqualTo("STORE_UNAVAILABLE");
        } finally {
            mysql.execute("SET GLOBAL super_read_only = OFF", "SET GLOBAL read_only = OFF");
        }
        await().atMost(PATIENCE).until(() -> client.get("/health/ready").status() == 200);
        assertThat(client.job("unwritten").status()).isEqualTo(404);
        push("written", rocketTopic, 0);
        awaitStatus("written", "FINISH");
    }

    @Test
    @Order(6)
    void everyMessageEndedByALegalPath() throws Exception {
        await().atMost(PATIENCE).until(() -> rows("status IN (0, 1, 2, 5)") == 0);
        assertThat(FlowAudit.of(database).violations()).isEmpty();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(redis.command("KEYS", "*:pool")).isEqualTo(List.of()));
    }

    private void push(String id, String topic, long delayMs) {
        Answer answer = client.push(Map.of("id", id, "topic", topic, "delay", delayMs, "body", "body of " + id));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    }

    private void awaitStatus(String id, String status) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).untilAsserted(() -> assertThat(status(id))
                .isEqualTo(status));
    }

    private String status(String id) {
        return client.job(id).dataObject().getString("statusName");
    }

    private long rows(String where) {
        return FlowAudit.of(database).rows(where);
    }
}
