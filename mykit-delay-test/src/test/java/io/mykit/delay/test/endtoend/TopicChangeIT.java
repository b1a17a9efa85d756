package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONArray;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** An administrator gives topics other channels, and metrics of their own, while two packaged servers run. */
class TopicChangeIT {
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final String PATH = "/fast";
    private static final String ADMIN = "admin-token-0123456789";
    private static final int MESSAGES = 1200;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private final Map<String, String> settings = new HashMap<>();
    private RedisServer redis;
    private SlowReceiver receiver;
    private DelayServer one;
    private DelayServer two;

    @BeforeEach
    void start() {
        redis = RedisServer.start(dir.resolve("redis"), "");
        receiver = new SlowReceiver(Duration.ofMillis(1));
        settings.put("mode", "master-standby");
        settings.put("registry.server-list", SharedServers.zooKeeper().connectString());
        settings.put("registry.session-timeout", "4s");
        settings.put("redis.uri", redis.uri());
        settings.put("datasource.url", SharedServers.mysql().freshDatabase("topic_change"));
        settings.put("datasource.username", "root");
        settings.put("delivery.default-channel", "webhook");
        settings.put("delivery.topics.named", "webhook");
        settings.put("webhook.url", receiver.url(PATH));
        settings.put("http.drain", "0s");
        settings.put("http.admin-token", ADMIN);
        settings.put("queue.name", "topic-change-" + System.nanoTime());
        one = DelayServer.start("one", dir.resolve("one"), settings);
        await().atMost(PATIENCE).until(() -> client(one).isLeader());
        two = DelayServer.start("two", dir.resolve("two"), settings);
    }

    @AfterEach
    void stop() {
        two.kill();
        one.kill();
        receiver.close();
        redis.close();
    }

    @Test
    @Tag("long")
    void bothNodesUseItWithinSecondsAndAfterARestart() {
        change(two, "{\"topic\":\"t\",\"channel\":\"pull\",\"metrics\":true}");
        assertThat(channel(two, "t")).isEqualTo("pull operator");
        await().atMost(Duration.ofSeconds(15)).until(() -> channel(one, "t").equals("pull operator"));
        push(one, "t", "p1");
        push(two, "t", "p2");
        assertThat(List.of(pull(one), pull(two))).containsExactlyInAnyOrder("p1", "p2");
        assertThat(receiver.counts(PATH)).isEmpty();
        for (DelayServer node : List.of(one, two)) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(client(node).get("/metrics").text())
                            .contains("mykit_delay_topic_delivered_total{topic=\"t\"}"));
        }

        // The configuration names this topic: the leader waits until the other node says the same.
        change(one, "{\"topic\":\"named\",\"channel\":\"console\"}");
        push(two, "named", "c1");
        await().atMost(PATIENCE).until(() -> status("c1").equals("FINISH"));
        assertThat(receiver.counts(PATH)).isEmpty();
        assertThat(warning("TOPIC_DIFFERS")).isFalse();
        assertThat(warning("CONFIG_DIFFERS")).as("the files are the same").isFalse();

        Answer refused = client(one).post("/topics/change", "{\"topic\":\"t\",\"channel\":\"kafka\"}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text()).contains("channel = kafka: ", "mykit.delay.kafka.bootstrap-servers is missing");
        assertThat(client(one)
                        .post("/topics/change", "{\"topic\":\"t\",\"channel\":\"grpc\"}")
                        .text())
                .contains("channel = grpc: ");
        assertThat(channel(one, "t")).isEqualTo("pull operator");

        assertThat(two.stop()).isZero();
        assertThat(one.stop()).isZero();
        one = DelayServer.start("one", dir.resolve("one-again"), settings);
        await().atMost(PATIENCE).until(() -> client(one).isLeader());
        assertThat(channel(one, "t")).isEqualTo("pull operator");
        assertThat(channel(one, "named")).isEqualTo("console operator");
        change(one, "{\"topic\":\"t\",\"channel\":\"default\",\"metrics\":false}");
        assertThat(channel(one, "t")).isEqualTo("webhook delivery.default-channel");
        push(one, "t", "w1");
        await().atMost(PATIENCE).until(() -> receiver.counts(PATH).containsKey("w1"));
        assertThat(client(one).get("/metrics").text()).doesNotContain("{topic=\"t\"}");
        assertThat(client(one).get("/audit?action=changeTopic").text())
                .contains("\"detail\":\"topic=t channel=default metrics=false\"");
    }

    @Test
    @Tag("nightly")
    void changesUnderLoadLoseNothingAndDoubleNothing() throws Exception {
        ConcurrentMap<String, Integer> acked = new ConcurrentHashMap<>();
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger pushed = new AtomicInteger();
        CompletableFuture<Void> pushing = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < MESSAGES; i++) {
                push(i % 2 == 0 ? one : two, "t", "m" + i, i % 5 * 100L);
                pushed.incrementAndGet();
            }
        });
        List<CompletableFuture<Void>> consumers = new ArrayList<>();
        for (DelayServer node : List.of(one, two)) {
            consumers.add(CompletableFuture.runAsync(() -> {
                while (!over.get()) {
                    consume(node, acked);
                }
            }));
        }
        String[] channels = {"pull", "webhook", "console", "pull", "default"};
        int changes = 0;
        while (!pushing.isDone() || changes < channels.length) {
            change(changes % 2 == 0 ? one : two, "{\"topic\":\"t\",\"channel\":\"" + channels[changes++ % 5] + "\"}");
            int before = pushed.get();
            await().atMost(PATIENCE).until(() -> pushed.get() > before + 20 || pushing.isDone());
        }
        pushing.get();
        change(one, "{\"topic\":\"t\",\"channel\":\"webhook\"}");
        // The holds of consumers that lost an answer would end after a minute.
        await().atMost(Duration.ofMinutes(2)).until(() -> IntStream.range(0, MESSAGES)
                .allMatch(i -> acked.containsKey("m" + i) || status("m" + i).equals("FINISH")));
        over.set(true);
        for (CompletableFuture<Void> consumer : consumers) {
            consumer.get();
        }
        Map<String, Long> sent = receiver.counts(PATH);
        assertThat(sent.values()).containsOnly(1L);
        assertThat(acked.values()).containsOnly(1);
        assertThat(sent.keySet()).doesNotContainAnyElementsOf(acked.keySet());
        assertThat(sent).isNotEmpty();
        assertThat(acked).isNotEmpty();
        for (int i = 0; i < MESSAGES; i++) {
            assertThat(status("m" + i)).as("m" + i).isEqualTo("FINISH");
        }
        assertThat(client(one).get("/dead").json().getJSONArray("data")).isEmpty();
    }

    /** Pulls a few messages, and acknowledges them. */
    private static void consume(DelayServer node, ConcurrentMap<String, Integer> acked) {
        Answer answer = client(node).post("/pull?topic=t&count=10&wait=200ms&ttr=30s", "");
        if (answer.status() == 409) {
            // The topic is not pulled now.
            await().pollDelay(Duration.ofMillis(50)).until(() -> true);
            return;
        }
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        JSONArray messages = answer.json().getJSONArray("data");
        for (int i = 0; i < messages.size(); i++) {
            JSONObject message = messages.getJSONObject(i);
            String id = message.getString("id");
            Answer ack = client(node).post("/ack?id=" + id + "&receipt=" + message.getString("receipt"), "");
            assertThat(ack.status()).as(ack.text()).isEqualTo(200);
            acked.merge(id, 1, Integer::sum);
        }
    }

    private static DelayClient client(DelayServer node) {
        return node.client().withToken(ADMIN);
    }

    private static void change(DelayServer node, String body) {
        Answer answer = client(node).post("/topics/change", body);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    }

    private static void push(DelayServer node, String topic, String id) {
        push(node, topic, id, 0);
    }

    private static void push(DelayServer node, String topic, String id, long delayMs) {
        Answer answer = client(node).push(Map.of("topic", topic, "id", id, "body", "x", "delay", delayMs));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    }

    private static String pull(DelayServer node) {
        JSONArray data =
                client(node).post("/pull?topic=t&count=1&wait=20s", "").json().getJSONArray("data");
        assertThat(data).hasSize(1);
        JSONObject message = data.getJSONObject(0);
        String id = message.getString("id");
        Answer acked = client(node).post("/ack?id=" + id + "&receipt=" + message.getString("receipt"), "");
        assertThat(acked.status()).as(acked.text()).isEqualTo(200);
        return id;
    }

    private String status(String id) {
        return client(one).job(id).dataObject().getString("statusName");
    }

    /** The channel of a topic, and its source. */
    private static String channel(DelayServer node, String topic) {
        JSONObject channel = client(node)
                .get("/topics?topic=" + topic)
                .json()
                .getJSONArray("data")
                .getJSONObject(0)
                .getJSONObject("settings")
                .getJSONObject("channel");
        return channel.getString("value") + " " + channel.getString("from");
    }

    private boolean warning(String code) {
        return client(one).get("/overview").dataObject().getJSONArray("warnings").stream()
                .map(JSONObject.class::cast)
                .anyMatch(warning -> code.equals(warning.getString("code")));
    }
}
