package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.delivery.Arrival;
import io.mykit.delay.test.delivery.RocketMqInbox;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Two packaged servers with MySQL, Redis, a ZooKeeper ensemble, and RocketMQ. */
class MasterStandbyIT {
    private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(8);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private RedisServer redis;
    private DelayServer one;
    private DelayServer two;
    private RocketMqInbox inbox;

    @BeforeEach
    void start() {
        redis = RedisServer.start(dir.resolve("redis"), "endToEnd");
        String rocketMq = SharedServers.rocketMq().nameServerAddress();
        String topic = "orders-" + System.nanoTime();
        inbox = new RocketMqInbox(rocketMq, topic);
        Map<String, String> settings = new HashMap<>();
        settings.put("mode", "master-standby");
        settings.put("registry.server-list", SharedServers.zooKeeper().connectString());
        settings.put("registry.session-timeout", SESSION_TIMEOUT.toSeconds() + "s");
        settings.put("redis.uri", redis.uri());
        settings.put("datasource.url", SharedServers.mysql().freshDatabase("end_to_end"));
        settings.put("datasource.username", "root");
        settings.put("delivery.default-channel", "rocketmq");
        settings.put("rocketmq.namesrv-addr", rocketMq);
        settings.put("queue.name", topic);
        one = DelayServer.start("one", dir.resolve("one"), settings);
        await().atMost(Duration.ofSeconds(20)).until(one::isLeader);
        two = DelayServer.start("two", dir.resolve("two"), settings);
        this.topic = topic;
    }

    private String topic;

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable part : new AutoCloseable[] {one, two, inbox, redis}) {
            if (part != null) {
                part.close();
            }
        }
    }

    @Test
    void theWholeWayAndTwoFailovers() {
        assertThat(one.isLeader()).isTrue();
        assertThat(two.isLeader()).isFalse();
        List<String> ids = new ArrayList<>();
        push(one.client(), ids, 20);
        push(two.client(), ids, 20);
        assertArrived(ids);

        // A graceful stop hands over at once, without a duplicate.
        push(one.client(), ids, 100);
        long stopping = System.nanoTime();
        assertThat(one.stop()).isZero();
        await().atMost(Duration.ofSeconds(5))
                .pollInterval(Duration.ofMillis(20))
                .until(two::isLeader);
        assertThat(Duration.ofNanos(System.nanoTime() - stopping))
                .as("hand-over does not wait for the session to time out")
                .isLessThan(SESSION_TIMEOUT);
        assertThat(one.stop()).as("exit code of a stop that was asked for").isZero();
        assertArrived(ids);
        assertThat(inbox.arrivals()).as("no duplicate").hasSize(ids.size());

        // A killed leader is replaced once its session has timed out.
        one.restart();
        push(one.client(), ids, 50);
        push(two.client(), ids, 50);
        two.kill();
        await().atMost(SESSION_TIMEOUT.plusSeconds(4)).until(one::isLeader);
        push(one.client(), ids, 20);
        assertArrived(ids);
        two.restart();
        assertThat(two.isLeader()).isFalse();
        assertThat(two.client().job(ids.get(0)).dataObject().getString("statusName"))
                .isEqualTo("FINISH");
    }

    @Test
    void operatorsRestoreAndClear() {
        for (int i = 0; i < 300; i++) {
            assertThat(one.client().push(message("w" + i, 1_800_000)).status()).isEqualTo(200);
        }
        redis.command("FLUSHALL");
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(
                        () -> assertThat(two.client().delete("w299").data()).isEqualTo("w299"));
        Answer restored = two.client().get("/reStore?expire=true");
        assertThat(restored.dataObject().getLongValue("rows")).isEqualTo(299);
        assertThat(two.client().get("/reStoreJob?JobId=w299").data()).isEqualTo("w299");
        assertThat(one.client().job("w299").dataObject().getString("statusName"))
                .isEqualTo("DELAY");
        assertThat(one.client().get("/clearAll").dataObject().getLongValue("rows"))
                .isEqualTo(300);
        assertThat(two.client().job("w0").dataObject().getString("statusName")).isEqualTo("DELETE");
        assertThat(one.client().get("/metrics").text()).contains("mykit_delay_lateness");
    }

    private void push(DelayClient client, List<String> ids, int count) {
        for (int i = 0; i < count; i++) {
            String id = "m" + ids.size();
            Answer answer = client.push(message(id, 200 + i * 20));
            assertThat(answer.status()).as(answer.text()).isEqualTo(200);
            ids.add(id);
        }
    }

    private Map<String, Object> message(String id, long delayMs) {
        return Map.of("topic", topic, "id", id, "delay", delayMs, "body", "body of " + id, "subtopic", "tag");
    }

    private void assertArrived(List<String> ids) {
        await().atMost(Duration.ofSeconds(40))
                .untilAsserted(() -> assertThat(arrived()).containsAll(ids));
        assertThat(inbox.arrivals())
                .allSatisfy(arrival -> assertThat(arrival.arrivedAtMs()).isGreaterThanOrEqualTo(arrival.dueTimeMs()));
    }

    private Stream<String> arrived() {
        return inbox.arrivals().stream().map(Arrival::id);
    }
}
