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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A rolling restart of two packaged servers introduces a pulled topic. */
@Tag("long")
class NewTopicIT {
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final String PATH = "/fast";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private RedisServer redis;
    private SlowReceiver receiver;
    private Map<String, String> before;
    private Map<String, String> after;
    private DelayServer one;
    private DelayServer two;

    @BeforeEach
    void start() {
        redis = RedisServer.start(dir.resolve("redis"), "");
        receiver = new SlowReceiver(Duration.ofMillis(1));
        before = new HashMap<>();
        before.put("mode", "master-standby");
        before.put("registry.server-list", SharedServers.zooKeeper().connectString());
        before.put("registry.session-timeout", "4s");
        before.put("redis.uri", redis.uri());
        before.put("datasource.url", SharedServers.mysql().freshDatabase("new_topic"));
        before.put("datasource.username", "root");
        before.put("delivery.default-channel", "webhook");
        before.put("webhook.url", receiver.url(PATH));
        before.put("http.drain", "0s");
        before.put("queue.name", "new-topic-" + System.nanoTime());
        after = new HashMap<>(before);
        after.put("delivery.topics.newt", "pull");
        one = DelayServer.start("one", dir.resolve("one"), before);
        await().atMost(PATIENCE).until(one::isLeader);
        two = DelayServer.start("two", dir.resolve("two"), before);
    }

    @AfterEach
    void stop() {
        two.kill();
        one.kill();
        receiver.close();
        redis.close();
    }

    @Test
    void aPulledTopicWaitsUntilTheLeaderKnowsIt() {
        assertThat(two.stop()).isZero();
        two = DelayServer.start("two", dir.resolve("two-after"), after);
        push(two.client(), "newt", "n1", 0);
        push(one.client(), "newt", "n2", 300);
        push(one.client(), "other", "o1", 600);
        await().atMost(PATIENCE).until(() -> receiver.counts(PATH).containsKey("o1"));
        assertThat(receiver.counts(PATH)).as("delivered elsewhere").containsOnlyKeys("o1");
        assertThat(status(one.client(), "n1")).isNotEqualTo("FINISH");

        JSONObject topic = topic(one.client());
        assertThat(topic).containsEntry("channel", "webhook").containsEntry("state", "differs");
        assertThat(topic.getJSONObject("differs").getString("reason"))
                .endsWith(":" + two.port() + " delivers it by pull, this node by webhook");
        assertThat(topic(two.client())).containsEntry("channel", "pull").containsEntry("state", "unknown");
        for (DelayServer node : new DelayServer[] {one, two}) {
            await().atMost(PATIENCE).until(() -> warning(node.client(), "TOPIC_DIFFERS") != null);
            JSONObject args = warning(node.client(), "CONFIG_DIFFERS").getJSONObject("args");
            assertThat(args).containsEntry("keys", "delivery.topics.newt");
            assertThat(args.getString("nodes")).endsWith(":" + two.port());
            assertThat(node.client().get("/metrics").text())
                    .contains("mykit_delay_nodes_other_config 1", "mykit_delay_nodes_other_version 0");
        }

        JSONArray held =
                two.client().post("/pull?topic=newt&count=1&ttr=1s", "").json().getJSONArray("data");
        assertThat(held).as("a consumer at the node that knows the topic").hasSize(1);
        await().atMost(PATIENCE).until(() -> topic(one.client()).getIntValue("ready") == 2);
        assertThat(receiver.counts(PATH)).as("after the end of a hold").containsOnlyKeys("o1");

        assertThat(one.stop()).isZero();
        await().atMost(PATIENCE).until(two::isLeader);
        one = DelayServer.start("one", dir.resolve("one-after"), after);
        assertThat(List.of(pull(one.client()), pull(two.client()))).containsExactlyInAnyOrder("n1", "n2");
        await().atMost(PATIENCE).until(() -> warning(one.client(), "CONFIG_DIFFERS") == null);
        assertThat(topic(two.client())).containsEntry("state", "runs");
        assertThat(receiver.counts(PATH)).as("delivered elsewhere").containsOnlyKeys("o1");
    }

    private static void push(DelayClient client, String topic, String id, long delayMs) {
        Answer answer = client.push(Map.of("topic", topic, "id", id, "body", "x", "delay", delayMs));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    }

    private static String status(DelayClient client, String id) {
        return client.job(id).dataObject().getString("statusName");
    }

    private static JSONObject topic(DelayClient client) {
        return client.get("/topics?topic=newt").json().getJSONArray("data").getJSONObject(0);
    }

    private static JSONObject warning(DelayClient client, String code) {
        JSONArray warnings = client.get("/overview").dataObject().getJSONArray("warnings");
        return warnings.stream()
                .map(JSONObject.class::cast)
                .filter(warning -> code.equals(warning.getString("code")))
                .findFirst()
                .orElse(null);
    }

    /** Waiting messages have no attempt: the first pull is the first one. */
    private static String pull(DelayClient client) {
        JSONArray data =
                client.post("/pull?topic=newt&count=1&wait=10s", "").json().getJSONArray("data");
        assertThat(data).hasSize(1);
        JSONObject message = data.getJSONObject(0);
        assertThat(message).containsEntry("attempt", 1);
        String id = message.getString("id");
        Answer acked = client.post("/ack?id=" + id + "&receipt=" + message.getString("receipt"), "");
        assertThat(acked.status()).as(acked.text()).isEqualTo(200);
        assertThat(status(client, id)).isEqualTo("FINISH");
        return id;
    }
}
