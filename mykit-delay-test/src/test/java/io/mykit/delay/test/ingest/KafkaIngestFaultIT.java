package io.mykit.delay.test.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.KafkaServer;
import io.mykit.delay.test.server.MySqlServer;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Outages of the database and of the broker, and nodes that share a topic: no record is lost, none is two messages, none is to blame. */
@Tag("nightly")
class KafkaIngestFaultIT {
    private static final int PARTITIONS = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private final Map<String, String> settings = new HashMap<>();
    private int sent;

    @BeforeEach
    void common() {
        settings.put("ingest.kafka.properties.session.timeout.ms", "6000");
        settings.put("delivery.default-channel", "pull");
    }

    @Test
    void aDatabaseThatIsAwayPausesThePartitionsAndBlamesNoRecord() {
        try (MySqlServer mysql = MySqlServer.start(dir.resolve("mysql"));
                KafkaServer kafka = kafka();
                Records records = new Records(kafka)) {
            settings.put("datasource.url", mysql.freshDatabase("ingest"));
            settings.put("datasource.username", "root");
            settings.put("datasource.timeout", "1s");
            try (DelayServer server = DelayServer.start("server", dir.resolve("server"), settings)) {
                DelayClient client = server.client();
                send(records, 500);
                await().atMost(PATIENCE).until(() -> committed(records) == sent);
                mysql.kill();
                send(records, 2_000);
                await().atMost(PATIENCE).until(() -> client.metric("mykit_delay_ingest_paused") == 1);
                assertThat(client.health().toString()).contains("STORE_UNAVAILABLE");
                // It stays in its group while it waits.
                assertThat(records.shares()).containsExactly(PARTITIONS);
                assertThat(committed(records)).isEqualTo(500);
                mysql.restart();
                await().atMost(PATIENCE).until(() -> committed(records) == sent);
                assertThat(client.metric("mykit_delay_ingest_paused")).isZero();
                assertThat(client.metric("mykit_delay_ingest_rejected_total")).isZero();
                assertWhole(client);
            }
        }
    }

    @Test
    void aFullIntakeIsNoBadRecord() {
        settings.put("intake.queue-limit", "1");
        settings.put("intake.batch-limit", "1");
        try (KafkaServer kafka = kafka();
                Records records = new Records(kafka);
                DelayServer server = DelayServer.start("server", dir.resolve("server"), settings)) {
            DelayClient client = server.client();
            send(records, 60);
            // Producers by HTTP take the only place now and then.
            for (int i = 0; i < 300; i++) {
                var unused = client.pushAsync(Map.of("topic", "others", "body", "x", "delay", 3_600_000));
            }
            await().atMost(PATIENCE).until(() -> committed(records) == sent);
            assertThat(client.metric("mykit_delay_messages_refused_total{reason=\"busy\"}"))
                    .isPositive();
            assertThat(client.metric("mykit_delay_ingest_rejected_total")).isZero();
            assertWhole(client);
        }
    }

    @Test
    void aBrokerThatIsKilledAndOneThatIsFrozenAreToldAndThenThereAgain() {
        try (KafkaServer kafka = kafka();
                Records records = new Records(kafka);
                DelayServer server = DelayServer.start("server", dir.resolve("server"), settings)) {
            DelayClient client = server.client();
            send(records, 200);
            await().atMost(PATIENCE).until(() -> committed(records) == sent);

            kafka.process().kill();
            await().atMost(PATIENCE).until(() -> client.health().toString().contains("no broker has answered"));
            // Other producers do not notice.
            assertThat(client.push(Map.of("topic", "others", "body", "x", "delay", 1))
                            .status())
                    .isEqualTo(200);
            kafka.startBroker();
            send(records, 200);
            await().atMost(PATIENCE).until(() -> committed(records) == sent);

            kafka.process().freeze();
            await().atMost(PATIENCE).until(() -> client.health().toString().contains("no broker has answered"));
            kafka.process().thaw();
            send(records, 200);
            await().atMost(PATIENCE).until(() -> committed(records) == sent);
            await().atMost(PATIENCE).until(() -> !client.health().toString().contains("no broker has answered"));
            assertWhole(client);
        }
    }

    @Test
    void aServerStartsBeforeItsBrokerAndSaysWhatIsMissing() {
        try (KafkaServer kafka = KafkaServer.prepare(dir.resolve("kafka"), Map.of())) {
            settings.put("ingest.kafka.bootstrap-servers", kafka.address());
            settings.put("ingest.kafka.rejected-topic", "no-such-topic");
            try (DelayServer server = DelayServer.start("server", dir.resolve("server"), settings)) {
                DelayClient client = server.client();
                await().atMost(PATIENCE).until(() -> client.health().toString().contains("no broker answers at"));
                kafka.startBroker();
                await().atMost(PATIENCE)
                        .until(() -> client.health().toString().contains("there is no topic " + Records.TOPIC));
                kafka.createTopic(Records.TOPIC, PARTITIONS, Map.of());
                await().atMost(PATIENCE)
                        .until(() -> client.health().toString().contains("mykit.delay.ingest.kafka.rejected-topic"));
                assertThat(kafka.topics()).doesNotContain("no-such-topic");
                kafka.createTopic("no-such-topic", 1, Map.of());
                try (Records records = new Records(kafka)) {
                    send(records, 100);
                    assertWhole(client);
                }
            }
        }
    }

    @Test
    void twoNodesShareThePartitionsAndTakeThemOver() {
        try (RedisServer redis = RedisServer.start(dir.resolve("redis"), "ingest");
                KafkaServer kafka = kafka();
                Records records = new Records(kafka)) {
            settings.put("mode", "master-standby");
            settings.put("registry.server-list", SharedServers.zooKeeper().connectString());
            settings.put("redis.uri", redis.uri());
            settings.put("datasource.url", SharedServers.mysql().freshDatabase("ingest_nodes"));
            settings.put("datasource.username", "root");
            settings.put("queue.name", "ingest-" + System.nanoTime());
            settings.put("http.drain", "1s");
            try (DelayServer one = DelayServer.start("one", dir.resolve("one"), settings)) {
                await().atMost(PATIENCE).until(() -> records.shares().equals(List.of(PARTITIONS)));
                send(records, 2_000);
                try (DelayServer two = DelayServer.start("two", dir.resolve("two"), settings)) {
                    send(records, 2_000);
                    await().atMost(PATIENCE)
                            .until(() -> records.shares().equals(List.of(PARTITIONS / 2, PARTITIONS / 2)));
                    send(records, 2_000);
                    // One stops in good order, and its partitions move at once.
                    assertThat(one.stop()).isZero();
                    await().atMost(PATIENCE).until(() -> records.shares().equals(List.of(PARTITIONS)));
                    send(records, 1_000);
                    one.restart();
                    await().atMost(PATIENCE).until(() -> records.shares().size() == 2);
                    send(records, 1_000);
                    two.kill();
                    await().atMost(PATIENCE).until(() -> records.shares().equals(List.of(PARTITIONS)));
                    await().atMost(PATIENCE).until(() -> committed(records) == sent);
                    await().atMost(PATIENCE).until(one::isLeader);
                    assertWhole(one.client());
                }
            }
        }
    }

    private KafkaServer kafka() {
        KafkaServer kafka = KafkaServer.start(dir.resolve("kafka"), Map.of());
        kafka.createTopic(Records.TOPIC, PARTITIONS, Map.of());
        settings.put("ingest.kafka.bootstrap-servers", kafka.address());
        return kafka;
    }

    private void send(Records records, int count) {
        for (int i = 0; i < count; i++) {
            records.json(sent % PARTITIONS, "{\"topic\":\"orders\",\"body\":\"" + sent + "\"}");
            sent++;
        }
        records.flush();
    }

    private static long committed(Records records) {
        long all = 0;
        for (int i = 0; i < PARTITIONS; i++) {
            all += records.committed(i);
        }
        return all;
    }

    /** Each record is one message. */
    private void assertWhole(DelayClient client) {
        List<JSONObject> pulled = Pulled.all(client, "orders", sent);
        assertThat(pulled.stream().map(message -> message.getString("id"))).doesNotHaveDuplicates();
        assertThat(pulled.stream().map(message -> message.getString("body")))
                .doesNotHaveDuplicates()
                .hasSize(sent);
    }
}
