package io.mykit.delay.test.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.delivery.ActiveMqInbox;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Another number of buckets by a rolling restart, while messages are pushed and fall due. */
@Tag("nightly")
class BucketChangeIT {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private final String topic = "change-" + System.nanoTime();
    private final List<String> ids = new ArrayList<>();
    private final Set<String> cancelled = new HashSet<>();

    @Test
    void nothingIsLostEarlyOrDoubled() {
        try (RedisServer redis = RedisServer.start(dir.resolve("redis"), "change");
                ActiveMqInbox inbox =
                        ActiveMqInbox.ofQueue(SharedServers.activeMq().url(), topic)) {
            Map<String, String> settings = settings(redis);
            try (DelayServer one = start("one", settings, 4);
                    DelayServer two = start("two", settings, 4)) {
                push(List.of(one, two), 200);
                assertThat(two.stop()).isZero();
                try (DelayServer newTwo = start("new-two", settings, 7)) {
                    // Old and new, side by side; the leader is an old one.
                    push(List.of(one, newTwo), 200);
                    cancelSome(newTwo);
                    assertThat(one.stop()).isZero();
                    await().atMost(Duration.ofSeconds(10)).until(newTwo::isLeader);
                    push(List.of(newTwo), 200);
                    cancelSome(newTwo);
                    try (DelayServer newOne = start("new-one", settings, 7)) {
                        push(List.of(newOne, newTwo), 100);
                        assertArrivedOnce(inbox);
                        assertThat(redis.command("GET", "io.mykit.delay:{" + topic + "}:layout"))
                                .isEqualTo("7".getBytes(UTF_8));
                    }
                }
            }
        }
    }

    private void assertArrivedOnce(ActiveMqInbox inbox) {
        Set<String> expected = new HashSet<>(ids);
        expected.removeAll(cancelled);
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(
                        inbox.arrivals().stream().map(Arrival::id).collect(Collectors.toSet()))
                .containsAll(expected));
        assertThat(inbox.arrivals()).extracting(Arrival::id).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(inbox.arrivals())
                .allSatisfy(arrival -> assertThat(arrival.arrivedAtMs()).isGreaterThanOrEqualTo(arrival.dueTimeMs()));
    }

    private void push(List<DelayServer> servers, int count) {
        for (int i = 0; i < count; i++) {
            String id = "m" + ids.size();
            // From now on to well after the last restart.
            Answer answer = servers.get(i % servers.size())
                    .client()
                    .push(Map.of("topic", topic, "id", id, "delay", i * 61L % 12_000, "body", id));
            assertThat(answer.status()).as(answer.text()).isEqualTo(200);
            ids.add(id);
        }
    }

    /** The messages that were pushed last and are due much later. */
    private void cancelSome(DelayServer server) {
        for (int i = ids.size() - 1; i > ids.size() - 200; i -= 7) {
            String id = ids.get(i);
            Answer answer = server.client().delete(id);
            if (id.equals(answer.data())) {
                cancelled.add(id);
            }
        }
        assertThat(cancelled).hasSizeGreaterThan(10);
    }

    private DelayServer start(String name, Map<String, String> settings, int buckets) {
        Map<String, String> own = new HashMap<>(settings);
        own.put("queue.buckets", Integer.toString(buckets));
        return DelayServer.start(name, dir.resolve(name), own, "-Xmx256m");
    }

    private Map<String, String> settings(RedisServer redis) {
        Map<String, String> settings = new HashMap<>();
        settings.put("mode", "master-standby");
        settings.put("http.drain", "0s");
        settings.put("registry.server-list", SharedServers.zooKeeper().connectString());
        settings.put("registry.session-timeout", "8s");
        settings.put("redis.uri", redis.uri());
        settings.put("datasource.url", SharedServers.mysql().freshDatabase("bucket_change"));
        settings.put("datasource.username", "root");
        settings.put("delivery.default-channel", "activemq");
        settings.put("activemq.broker-url", SharedServers.activeMq().url());
        settings.put("queue.name", topic);
        return settings;
    }
}
