package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Two packaged servers with MySQL, Redis, a ZooKeeper ensemble, and RocketMQ. The faults come last. */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MasterStandbyIT {
    private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(6);
    /** On an idle machine a hand-over takes a fifth of a second, and a takeover is within a second of the timeout. */
    private static final Duration SLACK = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(MasterStandbyIT.class);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path dir;

    private RedisServer redis;
    private DelayServer one;
    private DelayServer two;
    private RocketMqInbox inbox;

    @BeforeAll
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
        settings.put("http.drain", "0s");
        one = DelayServer.start("one", dir.resolve("one"), settings);
        await().atMost(Duration.ofSeconds(20)).until(one::isLeader);
        two = DelayServer.start("two", dir.resolve("two"), settings);
        this.topic = topic;
    }

    private String topic;

    @AfterAll
    void stop() throws Exception {
        for (AutoCloseable part : new AutoCloseable[] {one, two, inbox, redis}) {
            if (part != null) {
                part.close();
            }
        }
    }

    @Test
    @Order(2)
    void theWholeWayAndTwoFailovers() {
        assertThat(one.isLeader()).isTrue();
        assertThat(two.isLeader()).isFalse();
        List<String> ids = new ArrayList<>();
        push(one.client(), ids, 20);
        push(two.client(), ids, 20);
        assertArrived(ids);

        // A graceful stop hands over at once, without a duplicate.
        push(one.client(), ids, 100);
        one.terminate();
        assertThat(timeUntilLeads(two, "graceful")).isLessThan(SLACK);
        assertThat(one.awaitExit(Duration.ofSeconds(30)))
                .as("exit code of a stop that was asked for")
                .hasValue(0);
        assertArrived(ids);
        assertThat(inbox.ids()).as("no duplicate").hasSameSizeAs(ids);

        // A killed leader is replaced once its session has timed out.
        one.restart();
        push(one.client(), ids, 50);
        push(two.client(), ids, 50);
        two.kill();
        assertThat(timeUntilLeads(one, "killed")).isLessThan(SESSION_TIMEOUT.plus(SLACK));
        push(one.client(), ids, 20);
        assertArrived(ids);
        two.restart();
        assertThat(two.isLeader()).isFalse();

        // A frozen leader is replaced too; thawed it moves nothing, although it knows of much that fell due.
        List<String> due = new ArrayList<>();
        push(two.client(), due, "frozen-", 40, 12_000);
        long delivered = delivered(one);
        one.freeze();
        assertThat(timeUntilLeads(two, "frozen")).isLessThan(SESSION_TIMEOUT.plus(SLACK));
        one.thaw();
        assertArrived(due);
        await().atMost(Duration.ofSeconds(10)).until(() -> !one.isLeader());
        assertThat(delivered(one)).as("delivered by the one that was frozen").isEqualTo(delivered);
        assertThat(inbox.ids().filter(due::contains)).as("no duplicate").hasSameSizeAs(due);
        assertThat(two.client().job(ids.get(0)).dataObject().getString("statusName"))
                .isEqualTo("FINISH");
    }

    @Test
    @Order(1)
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

    /** From the signal on that ended or froze the other. */
    private static Duration timeUntilLeads(DelayServer node, String how) {
        long begin = System.nanoTime();
        await().atMost(SESSION_TIMEOUT.multipliedBy(4))
                .pollInterval(Duration.ofMillis(10))
                .until(node::isLeader);
        Duration time = Duration.ofNanos(System.nanoTime() - begin);
        LOG.info("A new leader after {} ms, the old one was {}", time.toMillis(), how);
        return time;
    }

    /** Messages that this node has handed to the broker since it was started. */
    private static long delivered(DelayServer node) {
        return (long) node.client().metric("mykit_delay_lateness_seconds_count{");
    }

    private void push(DelayClient client, List<String> ids, int count) {
        push(client, ids, "m", count, 200);
    }

    private void push(DelayClient client, List<String> ids, String prefix, int count, long firstDelayMs) {
        for (int i = 0; i < count; i++) {
            String id = prefix + ids.size();
            Answer answer = client.push(message(id, firstDelayMs + 20L * i));
            assertThat(answer.status()).as(answer.text()).isEqualTo(200);
            ids.add(id);
        }
    }

    private Map<String, Object> message(String id, long delayMs) {
        return Map.of("topic", topic, "id", id, "delay", delayMs, "body", "body of " + id, "subtopic", "tag");
    }

    private void assertArrived(List<String> ids) {
        await().atMost(Duration.ofSeconds(40))
                .untilAsserted(() -> assertThat(inbox.ids()).containsAll(ids));
        assertThat(inbox.arrivals())
                .allSatisfy(arrival -> assertThat(arrival.arrivedAtMs()).isGreaterThanOrEqualTo(arrival.dueTimeMs()));
    }
}
