package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.server.DelayServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The life of pulled messages over HTTP, on the packaged server with its embedded default. */
class PullHttpIT {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static DelayServer server;
    private static DelayClient client;

    @BeforeAll
    static void start(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path dir) {
        server = DelayServer.start(
                "pull",
                dir,
                Map.of(
                        "delivery.default-channel", "pull",
                        "delivery.topics.shown", "console",
                        "delivery.policy.twice.max-attempts", "2",
                        "delivery.policy.twice.interval", "100ms"));
        client = server.client();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aMessageIsPulledWhenItIsDueAndEndsWithItsAck() {
        client.push(Map.of("topic", "acked", "id", "a1", "body", "work", "delay", 4000));
        assertThat(client.post("/pull?topic=acked", "").json().getJSONArray("data"))
                .isEmpty();

        JSONObject message = pull("acked", "60s");
        assertThat(message)
                .containsEntry("id", "a1")
                .containsEntry("body", "work")
                .containsEntry("attempt", 1);
        assertThat(status("a1")).isEqualTo("READY");
        assertThat(client.delete("a1").error()).isEqualTo("ALREADY_DISPATCHED");

        Answer acked = settle("ack", message);
        assertThat(acked.dataObject()).containsEntry("id", "a1").containsEntry("recorded", true);
        assertThat(status("a1")).isEqualTo("FINISH");
        assertThat(settle("ack", message).status()).isEqualTo(200);
        assertThat(settle("release", message).error()).isEqualTo("LEASE_LOST");
    }

    @Test
    void theConsumerOfAHeldMessageIsSeen() {
        client.push(Map.of("topic", "seen", "id", "s1", "body", "work"));
        client.push(Map.of("topic", "seen", "id", "s2", "body", "work"));
        long beganMs = System.currentTimeMillis();
        JSONObject first = pull("seen&consumer=worker-1", "60s");
        JSONObject second = pull("seen", "60s");
        assertThat(client.job(first.getString("id")).dataObject())
                .containsEntry("statusName", "READY")
                .containsEntry("leaseUntil", first.get("leaseUntil"))
                .containsEntry("consumer", "worker-1");
        assertThat(client.job(first.getString("id")).dataObject().getLongValue("takenAt"))
                .isBetween(beganMs - 1000, System.currentTimeMillis() + 1000);
        assertThat(client.job(second.getString("id")).dataObject()).containsEntry("consumer", "127.0.0.1");

        List<JSONObject> taken = client.get("/peek?topic=seen&state=taken")
                .json()
                .getJSONArray("data")
                .toList(JSONObject.class);
        assertThat(taken)
                .extracting(message -> message.getString("id") + " " + message.getString("consumer"))
                .containsExactlyInAnyOrder(first.getString("id") + " worker-1", second.getString("id") + " 127.0.0.1");
        assertThat(client.get("/topics?topic=seen")
                        .json()
                        .getJSONArray("data")
                        .getJSONObject(0)
                        .getJSONArray("consumers")
                        .toList(JSONObject.class))
                .containsExactly(
                        JSONObject.of("consumer", "127.0.0.1", "waiting", 0, "taken", 1),
                        JSONObject.of("consumer", "worker-1", "waiting", 0, "taken", 1));
        assertThat(settle("ack", first).status()).isEqualTo(200);
        assertThat(settle("release", second).status()).isEqualTo(200);
        assertThat(client.job(first.getString("id")).dataObject())
                .doesNotContainKeys("leaseUntil", "consumer", "takenAt");
        assertThat(client.job(second.getString("id")).dataObject())
                .doesNotContainKeys("leaseUntil", "consumer", "takenAt");
        assertThat(client.get("/peek?topic=seen&state=taken").json().getJSONArray("data"))
                .isEmpty();
    }

    @Test
    void aSearchAndAQueryTellTheSameStatus() {
        client.push(Map.of("topic", "searched", "id", "q1", "body", "work"));
        client.push(Map.of("topic", "searched", "id", "q2", "body", "work"));
        client.push(Map.of("topic", "searched", "id", "q3", "body", "work", "delay", 3_600_000));
        await().atMost(PATIENCE)
                .until(() -> status("q1").equals("READY") && status("q2").equals("READY"));
        JSONObject held = pull("searched", "60s");
        assertThat(client.get("/messages?topic=searched")
                        .dataObject()
                        .getJSONArray("items")
                        .toList(JSONObject.class))
                .hasSize(3)
                .allSatisfy(item -> assertThat(item.getString("status")).isEqualTo(status(item.getString("id"))))
                .extracting(item -> item.getString("status"))
                .containsExactlyInAnyOrder("READY", "READY", "DELAY");
        assertThat(settle("ack", held).status()).isEqualTo(200);
    }

    @Test
    void aNackedMessageComesAgainAndDiesAfterItsLastAttempt() {
        client.push(Map.of("topic", "twice", "id", "n1", "body", "work"));
        assertThat(client.post(
                                "/nack?detail=no+disk&id=n1&receipt="
                                        + pull("twice", "60s").getString("receipt"),
                                "")
                        .status())
                .isEqualTo(200);
        JSONObject again = pull("twice", "60s");
        assertThat(again).containsEntry("attempt", 2).containsEntry("maxAttempts", 2);
        assertThat(settle("nack", again).status()).isEqualTo(200);
        assertThat(status("n1")).isEqualTo("FAILED");
        assertThat(client.get("/dead?topic=twice").text()).contains("\"n1\"").contains("ATTEMPTS");
        assertThat(settle("ack", again).error()).isEqualTo("ALREADY_FINISHED");
    }

    @Test
    void anotherConsumerGetsTheMessageWhenTheHoldEnds() {
        client.push(Map.of("topic", "held", "id", "h1", "body", "work", "retry", Map.of("interval", 0)));
        JSONObject first = pull("held", "1s");
        JSONObject second = pull("held", "60s");
        assertThat(second).containsEntry("id", "h1").containsEntry("attempt", 2).containsEntry("deliveries", 2);
        assertThat(second.getString("receipt")).isNotEqualTo(first.getString("receipt"));
        assertThat(settle("ack", first).error()).isEqualTo("LEASE_LOST");
        assertThat(settle("ack", second).status()).isEqualTo(200);
    }

    @Test
    void aHoldIsExtendedGivenBackOrGivenUp() {
        client.push(Map.of("topic", "kept", "id", "k1", "body", "work"));
        JSONObject first = pull("kept", "60s");
        Answer extended = client.post("/extend?ttr=10m&id=k1&receipt=" + first.getString("receipt"), "");
        assertThat(extended.dataObject().getLongValue("leaseUntil")).isGreaterThan(first.getLongValue("leaseUntil"));
        assertThat(settle("release", first).status()).isEqualTo(200);
        JSONObject second = pull("kept", "60s");
        assertThat(second).containsEntry("attempt", 1).containsEntry("deliveries", 2);
        assertThat(settle("bury", second).status()).isEqualTo(200);
        assertThat(client.get("/dead?topic=kept").text()).contains("BURIED");
    }

    @Test
    void manyAreHandedOutAndSettledAtOnce() {
        List<Map<String, String>> messages = IntStream.range(0, 50)
                .mapToObj(i -> Map.of("topic", "many", "id", "m" + i, "body", "work"))
                .toList();
        client.pushBatch(messages);
        await().atMost(PATIENCE).until(() -> ready("many") == 50);
        List<JSONObject> pulled = client.post("/pull", "{\"topic\":[\"none\",\"many\"],\"count\":100,\"wait\":\"5s\"}")
                .json()
                .getJSONArray("data")
                .toList(JSONObject.class);
        assertThat(pulled).hasSize(50);
        List<Map<String, Object>> items = pulled.stream()
                .map(message -> Map.of("id", message.get("id"), "receipt", message.get("receipt")))
                .toList();
        Answer acked = client.post("/ack", JSONObject.of("items", items).toString());
        assertThat(acked.json().getJSONArray("data").toList(JSONObject.class))
                .hasSize(50)
                .allSatisfy(item -> assertThat(item).containsEntry("success", true));
        assertThat(status("m49")).isEqualTo("FINISH");
    }

    @Test
    void aReadyMessageIsShownAndCancelled() {
        client.push(Map.of("topic", "shown-ready", "id", "r1", "body", "work", "bizKey", "k"));
        await().atMost(PATIENCE).until(() -> ready("shown-ready") == 1);
        JSONObject peeked = client.get("/peek?topic=shown-ready&body=true")
                .json()
                .getJSONArray("data")
                .getJSONObject(0);
        assertThat(peeked)
                .containsEntry("id", "r1")
                .containsEntry("body", "work")
                .containsEntry("attempts", 0);
        assertThat(client.get("/topics?prefix=shown-").text()).contains("\"channel\":\"pull\"");

        assertThat(client.delete("r1").status()).isEqualTo(200);
        assertThat(client.post("/pull?topic=shown-ready", "").json().getJSONArray("data"))
                .isEmpty();
    }

    @Test
    void getTakesOneAndFinishEndsItByItsId() {
        client.push(Map.of("topic", "get/one", "id", "g1", "body", "work"));
        client.push(Map.of("topic", "get/two", "id", "g2", "body", "work"));
        assertThat(client.get("/get/get/one?wait=10s").dataObject()).containsEntry("id", "g1");
        assertThat(client.get("/finish?jobId=g1").status()).isEqualTo(200);
        assertThat(status("g1")).isEqualTo("FINISH");
        assertThat(client.get("/get/get/two?wait=10s&ack=auto").dataObject()).containsEntry("id", "g2");
        assertThat(status("g2")).isEqualTo("FINISH");
        assertThat(client.get("/get/get/two").json()).containsEntry("data", null);
    }

    @Test
    void aTopicOfAnotherChannelIsNotPulled() {
        Answer refused = client.post("/pull?topic=shown", "");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.error()).isEqualTo("NOT_PULLABLE");
    }

    private static JSONObject pull(String topic, String ttr) {
        Answer answer = client.post("/pull?wait=20s&topic=" + topic + "&ttr=" + ttr, "");
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.json().getJSONArray("data").getJSONObject(0);
    }

    private static Answer settle(String verb, JSONObject message) {
        return client.post("/" + verb + "?id=" + message.get("id") + "&receipt=" + message.get("receipt"), "");
    }

    private static String status(String id) {
        return client.job(id).dataObject().getString("statusName");
    }

    private static int ready(String topic) {
        return client.get("/topics?topic=" + topic)
                .json()
                .getJSONArray("data")
                .getJSONObject(0)
                .getIntValue("ready");
    }
}
