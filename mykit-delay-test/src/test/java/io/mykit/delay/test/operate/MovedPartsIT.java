package io.mykit.delay.test.operate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.test.delivery.ActiveMqInbox;
import io.mykit.delay.test.server.ActiveMqServer;
import io.mykit.delay.test.server.MySqlServer;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Parts are moved by the steps of docs/moving.md: each waiting message arrives once, and a cancelled one does not. */
@Tag("nightly")
class MovedPartsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final int MESSAGES = 200;
    private static final long LATER_MS = 1_800_000;
    /** Long enough for the move. */
    private static final long SOON_MS = 15_000;

    private static final String PASSWORD = "moved";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private final String topic = "moved-" + System.nanoTime();
    private final String broker = SharedServers.activeMq().url();
    private final List<String> expected = new ArrayList<>();
    private RedisServer redis;
    private Queue queue;

    @BeforeEach
    void start() {
        redis = RedisServer.start(dir.resolve("redis"), PASSWORD);
        queue = new Queue(dir, topic, redis.uri(), SharedServers.mysql().freshDatabase("moved"), broker);
    }

    @AfterEach
    void stop() {
        queue.close();
        redis.close();
    }

    @Test
    void toAnEmptyRedis() {
        queue.start();
        pushAndCancel();
        queue.stop();
        try (RedisServer other = RedisServer.start(dir.resolve("other"), PASSWORD)) {
            queue.change("redis.uri", other.uri());
            queue.start();
            assertArriveOnce(broker);
            queue.close();
        }
    }

    @Test
    void toARedisThatWasAReplica() {
        queue.start();
        pushAndCancel();
        try (RedisServer replica = RedisServer.start(dir.resolve("replica"), PASSWORD, "masterauth " + PASSWORD)) {
            replica.command("REPLICAOF", "127.0.0.1", Integer.toString(redis.port()));
            await().atMost(PATIENCE).until(replica::isLinked);
            queue.stop();
            replica.command("REPLICAOF", "NO", "ONE");
            queue.change("redis.uri", replica.uri());
            queue.start();
            assertThat(queue.status("waiting")).isEqualTo("DELAY");
            assertArriveOnce(broker);
            queue.close();
        }
    }

    @Test
    void toAnotherBroker() {
        queue.start();
        pushAndCancel();
        queue.stop();
        try (ActiveMqServer other = ActiveMqServer.start(dir.resolve("activemq"));
                ActiveMqInbox old = ActiveMqInbox.ofQueue(broker, topic)) {
            queue.change("activemq.broker-url", other.url());
            queue.start();
            assertArriveOnce(other.url());
            assertThat(old.arrivals()).isEmpty();
            queue.close();
        }
    }

    @Test
    void toAnotherDatabaseServerByACopyOfItsFiles() throws IOException {
        Path oldDir = dir.resolve("mysql-old");
        Path newDir = dir.resolve("mysql-new");
        try (MySqlServer old = MySqlServer.start(oldDir)) {
            queue.change("datasource.url", old.freshDatabase("moved"));
            queue.start();
            pushAndCancel();
            queue.stop();
        }
        copy(oldDir, newDir);
        try (MySqlServer other = MySqlServer.start(newDir)) {
            queue.change("datasource.url", other.url("moved"));
            queue.start();
            assertArriveOnce(broker);
            queue.close();
        }
    }

    @Test
    void toAZooKeeperThatCountsFromTheBegin() {
        queue.start();
        queue.stop();
        // As after a long life with the old ZooKeeper.
        SharedServers.mysql().execute("UPDATE moved.mykit_delay_queue_epoch SET epoch = 1000000000000");
        queue.start();
        pushAndCancel();
        queue.stop();
        queue.change("mode", "master-standby");
        queue.change("http.drain", "0s");
        queue.change("registry.server-list", SharedServers.zooKeeper().connectString());
        queue.start();
        await().atMost(PATIENCE).until(() -> queue.log().contains("was fenced"));
        queue.stop();

        List<?> epochs = (List<?>) redis.command("KEYS", "io.mykit.delay:{" + topic + ":*}:epoch");
        assertThat(epochs).hasSize(4);
        epochs.forEach(key -> redis.command("DEL", new String((byte[]) key, UTF_8)));
        queue.start();
        assertArriveOnce(broker);
    }

    private void pushAndCancel() {
        List<Map<String, Object>> batch = new ArrayList<>();
        for (int i = 0; i < MESSAGES; i++) {
            String id = "m" + i;
            batch.add(Map.of("topic", topic, "id", id, "body", id, "delay", SOON_MS));
            expected.add(id);
        }
        assertThat(queue.client().pushBatch(batch).text()).doesNotContain("\"success\":false");
        queue.push(topic, "waiting", "waiting", LATER_MS);
        for (int i = 0; i < MESSAGES; i += 10) {
            queue.cancel("m" + i);
            expected.remove("m" + i);
        }
    }

    private void assertArriveOnce(String url) {
        try (ActiveMqInbox inbox = ActiveMqInbox.ofQueue(url, topic)) {
            assertThat(inbox.awaitExactly(expected.size(), PATIENCE))
                    .allSatisfy(
                            arrival -> assertThat(arrival.arrivedAtMs()).isGreaterThanOrEqualTo(arrival.dueTimeMs()))
                    .extracting(Arrival::id)
                    .containsExactlyInAnyOrderElementsOf(expected);
            await().atMost(PATIENCE).until(() -> expected.stream()
                    .allMatch(id -> queue.status(id).equals("FINISH")));
            assertThat(queue.status("waiting")).isEqualTo("DELAY");
            assertThat(queue.status("m0")).isEqualTo("DELETE");
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else if (Files.isRegularFile(file)) {
                    Files.copy(file, target);
                }
            }
        }
    }
}
