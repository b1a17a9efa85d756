package io.mykit.delay.test.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.server.DelayServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Policies that an operator sets while the packaged server runs, on its embedded parts. */
@Tag("long")
class TopicPolicyIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void aPolicyHoldsAtOnceAndAfterARestartAndUntilItIsGivenBack() {
        Map<String, String> settings =
                Map.of("delivery.default-channel", "console", "delivery.policy.slow.rate", "0.01");
        try (DelayServer server = DelayServer.start("policy", dir, settings)) {
            // The bucket is empty at the begin of a term: the first token comes after 100 s.
            push(server, "slow", "first");
            await().atMost(PATIENCE).until(() -> waits(server, "slow") == 1);
            assertThat(source(server, "slow", "rate")).isEqualTo("delivery.policy.slow.rate");

            change(server, "{\"topic\":\"slow\",\"rate\":1000,\"maxAttempts\":7}");
            assertThat(source(server, "slow", "rate")).isEqualTo("operator");
            await().atMost(PATIENCE).until(() -> status(server, "first").equals("FINISH"));

            assertThat(server.client()
                            .post("/topics/policy", "{\"topic\":\"slow\",\"rate\":0.001}")
                            .text())
                    .contains("INVALID", "rate = 0.001: must be from 0.01");

            server.stop();
            server.restart();
            assertThat(source(server, "slow", "rate")).isEqualTo("operator");
            push(server, "slow", "second");
            await().atMost(PATIENCE).until(() -> status(server, "second").equals("FINISH"));

            change(server, "{\"topic\":\"slow\",\"rate\":\"default\"}");
            assertThat(source(server, "slow", "rate")).isEqualTo("delivery.policy.slow.rate");
            assertThat(source(server, "slow", "maxAttempts")).isEqualTo("operator");
            push(server, "slow", "third");
            await().atMost(PATIENCE).until(() -> waits(server, "slow") == 1);
            assertThat(server.client().get("/operations").text()).contains("setPolicy");
        }
    }

    private static void change(DelayServer server, String body) {
        Answer answer = server.client().post("/topics/policy", body);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    }

    private static void push(DelayServer server, String topic, String id) {
        assertThat(server.client().push(Map.of("topic", topic, "id", id)).status())
                .isEqualTo(200);
    }

    private static JSONObject topic(DelayServer server, String topic) {
        return server.client()
                .get("/topics?topic=" + topic)
                .json()
                .getJSONArray("data")
                .getJSONObject(0);
    }

    private static int waits(DelayServer server, String topic) {
        return topic(server, topic).getIntValue("ready");
    }

    private static String source(DelayServer server, String topic, String key) {
        return topic(server, topic).getJSONObject("policy").getJSONObject(key).getString("from");
    }

    private static String status(DelayServer server, String id) {
        return server.client().job(id).dataObject().getString("statusName");
    }
}
