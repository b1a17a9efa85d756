package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.delivery.RocketMqInbox;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A leader that is told to stop, or dies, while it sends callbacks that take long, and a standby that takes over. */
class PlannedHandOverIT {
    private static final Logger LOG = LoggerFactory.getLogger(PlannedHandOverIT.class);
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final Duration SLOW = Duration.ofSeconds(12);
    private static final int SLOW_ONES = 5;
    /** Messages of each quick topic, due one after the other from before the stop to the end of the slow callbacks. */
    private static final int STREAM = 300;

    private static final int GAP_MS = 30;
    private static final String TO_ROCKET = "orders-" + System.nanoTime();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private RedisServer redis;
    private SlowReceiver receiver;
    private DelayServer leader;
    private DelayServer standby;

    @BeforeEach
    void start() {
        redis = RedisServer.start(dir.resolve("redis"), "");
        receiver = new SlowReceiver(SLOW);
        Map<String, String> settings = new HashMap<>();
        settings.put("mode", "master-standby");
        settings.put("registry.server-list", SharedServers.zooKeeper().connectString());
        settings.put("registry.session-timeout", "4s");
        settings.put("redis.uri", redis.uri());
        settings.put("datasource.url", SharedServers.mysql().freshDatabase("planned"));
        settings.put("datasource.username", "root");
        settings.put("delivery.default-channel", "webhook");
        settings.put("webhook.url", receiver.url("/slow"));
        settings.put("webhook.topics.fast.url", receiver.url("/fast"));
        settings.put("webhook.timeout", "25s");
        settings.put("stop.timeout", "45s");
        settings.put("delivery.topics." + TO_ROCKET, "rocketmq");
        settings.put("rocketmq.namesrv-addr", SharedServers.rocketMq().nameServerAddress());
        settings.put("delivery.topics.pulled", "pull");
        settings.put("http.drain", "0s");
        settings.put("queue.name", "planned-" + System.nanoTime());
        leader = DelayServer.start("one", dir.resolve("one"), settings);
        await().atMost(PATIENCE).until(leader::isLeader);
        standby = DelayServer.start("two", dir.resolve("two"), settings);
    }

    @AfterEach
    void stop() {
        standby.kill();
        leader.kill();
        receiver.close();
        redis.close();
    }

    @Test
    @Tag("long")
    void nothingArrivesTwiceAndNothingElseIsHeldUp() throws Exception {
        try (RocketMqInbox inbox = new RocketMqInbox(SharedServers.rocketMq().nameServerAddress(), TO_ROCKET)) {
            warmUp(standby.client(), inbox);
            JSONObject held = hold(leader.client());
            stream(standby.client(), "fast", "f");
            stream(standby.client(), TO_ROCKET, "r");
            pushSlow(leader.client());
            await().atMost(PATIENCE).until(() -> receiver.counts("/fast").size() > STREAM / 10);
            long begin = System.nanoTime();
            leader.terminate();
            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(standby::isLeader);
            LOG.info("another leader after {} ms", (System.nanoTime() - begin) / 1_000_000);
            assertThat(leader.awaitExit(PATIENCE)).as("exit code").hasValue(0);
            LOG.info("the old leader ended after {} ms", (System.nanoTime() - begin) / 1_000_000);

            Answer acked = standby.client().post("/ack?id=held&receipt=" + held.getString("receipt"), "");
            assertThat(acked.status()).as(acked.text()).isEqualTo(200);
            await().atMost(PATIENCE).until(() -> receiver.counts("/fast").size() == STREAM + 1);
            await().atMost(PATIENCE).until(() -> inbox.ids().distinct().count() == STREAM + 1);
            for (int i = 0; i < SLOW_ONES; i++) {
                assertThat(status("slow" + i)).isEqualTo("FINISH");
            }
            LOG.info("latest callback {} ms, latest message {} ms", receiver.latestMs("/fast"), latestMs(inbox));
            assertThat(receiver.counts("/slow")).hasSize(SLOW_ONES);
            assertThat(receiver.counts("/slow").values()).as("slow callbacks").containsOnly(1L);
            assertThat(receiver.counts("/fast").values()).as("fast callbacks").containsOnly(1L);
            assertThat(inbox.ids()).as("at the broker").doesNotHaveDuplicates();
            assertThat(standby.client().post("/pull?topic=pulled", "").json().getJSONArray("data"))
                    .isEmpty();
            assertThat(receiver.latestMs("/fast")).isLessThan(SLOW.toMillis() / 2);
            assertThat(latestMs(inbox)).isLessThan(SLOW.toMillis() / 2);
        }
    }

    /** As after the crash of any leader, the messages arrive a second time, once their holds have ended. */
    @Test
    @Tag("nightly")
    void aNodeThatDiesWhileItWaitsLeavesItsMessagesToTheNextLeader() {
        pushSlow(leader.client());
        leader.terminate();
        await().atMost(PATIENCE).until(standby::isLeader);
        leader.kill();
        await().atMost(PATIENCE)
                .until(() -> receiver.counts("/slow").values().stream().allMatch(count -> count == 2));
        await().atMost(PATIENCE).until(() -> "FINISH".equals(status("slow0")));
    }

    private void warmUp(DelayClient client, RocketMqInbox inbox) {
        push(client, "fast", "f-warm", 0);
        push(client, TO_ROCKET, "r-warm", 0);
        await().atMost(PATIENCE).until(() -> receiver.counts("/fast").containsKey("f-warm"));
        await().atMost(PATIENCE).until(() -> inbox.ids().anyMatch("r-warm"::equals));
    }

    private static JSONObject hold(DelayClient client) {
        push(client, "pulled", "held", 0);
        return client.post("/pull?topic=pulled&ttr=60s&wait=10s", "")
                .json()
                .getJSONArray("data")
                .getJSONObject(0);
    }

    private void pushSlow(DelayClient client) {
        for (int i = 0; i < SLOW_ONES; i++) {
            push(client, "t", "slow" + i, 0);
        }
        await().atMost(PATIENCE).until(() -> receiver.counts("/slow").size() == SLOW_ONES);
    }

    private static void stream(DelayClient client, String topic, String prefix) {
        IntStream.range(0, STREAM).parallel().forEach(i -> push(client, topic, prefix + i, 2000L + (long) i * GAP_MS));
    }

    private static void push(DelayClient client, String topic, String id, long delayMs) {
        Answer answer = client.push(Map.of("topic", topic, "id", id, "body", "x", "delay", delayMs));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    }

    private static long latestMs(RocketMqInbox inbox) {
        List<Arrival> arrivals = List.copyOf(inbox.arrivals());
        return arrivals.stream()
                .mapToLong(arrival -> arrival.arrivedAtMs() - arrival.dueTimeMs())
                .max()
                .orElse(0);
    }

    private String status(String id) {
        return standby.client().job(id).dataObject().getString("statusName");
    }
}
