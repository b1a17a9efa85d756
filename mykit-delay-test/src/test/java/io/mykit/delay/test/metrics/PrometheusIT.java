package io.mykit.delay.test.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONArray;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.FreePorts;
import io.mykit.delay.test.server.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node beside Prometheus with the configuration of {@code deploy/prometheus}, which names other hosts and longer intervals. */
class PrometheusIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    static Path dir;

    private static DelayServer node;

    @BeforeAll
    static void start() {
        Promtool.isNeeded("promtool");
        node = DelayServer.start("scraped", dir, Map.of("delivery.topics.orders", "pull"));
        // A message that is due, and that nobody pulls, would be a case for an alert.
        assertThat(node.client()
                        .push(Map.of("id", "p1", "topic", "orders", "delay", 600_000, "body", "x"))
                        .status())
                .isEqualTo(200);
    }

    @AfterAll
    static void stop() {
        if (node != null) {
            node.close();
        }
    }

    @Test
    void itsToolFindsNoFaultInTheMetrics() throws Exception {
        // The first scrape begins the counts of the queue.
        await().atMost(PATIENCE)
                .until(() -> node.client().get("/metrics").text().contains("mykit_delay_oldest_overdue_seconds "));
        String ours = node.client()
                .get("/metrics")
                .text()
                .lines()
                .filter(line -> line.contains("mykit_delay_"))
                .reduce("", (all, line) -> all + line + "\n");
        Promtool.acceptsText(ours, "check", "metrics");
    }

    @Test
    void prometheusScrapesTheNodeAndEvaluatesEachRule() throws Exception {
        Promtool.isNeeded("prometheus");
        int port = FreePorts.next();
        List<String> command = List.of(
                "prometheus",
                "--config.file=" + configuration(),
                "--web.listen-address=127.0.0.1:" + port,
                "--storage.tsdb.path=" + dir.resolve("series"));
        try (ServerProcess prometheus = ServerProcess.start("prometheus", dir, command, Map.of())) {
            prometheus.awaitReady(PATIENCE, () -> ask(port, "targets") != null);
            await().atMost(PATIENCE).untilAsserted(() -> {
                assertThat(ask(port, "targets").getJSONArray("activeTargets").toList(JSONObject.class))
                        .singleElement()
                        .satisfies(target -> assertThat(target.getString("health"))
                                .as(target.getString("lastError"))
                                .isEqualTo("up"));
                List<JSONObject> rules = rules(port);
                assertThat(rules).hasSameSizeAs(AlertRules.all());
                assertThat(rules).allSatisfy(rule -> assertThat(rule.getString("health"))
                        .as(rule.getString("name") + ": " + rule.getString("lastError"))
                        .isEqualTo("ok"));
                // One node alone: the rules see its series.
                assertThat(rules.stream()
                                .filter(rule -> !rule.getString("state").equals("inactive"))
                                .map(rule -> rule.getString("name")))
                        .containsExactly("NoStandby");
            });
        }
    }

    private static Path configuration() throws IOException {
        Files.copy(AlertRules.dir().resolve("rules.yml"), dir.resolve("rules.yml"));
        String example = Files.readString(AlertRules.dir().resolve("prometheus.yml"));
        assertThat(example).contains(": 15s", "- node1:6355", "- node2:6355");
        return Files.writeString(
                dir.resolve("prometheus.yml"),
                example.replace(": 15s", ": 1s")
                        .replace("node1:6355", "127.0.0.1:" + node.port())
                        .replaceFirst("\n *- node2:6355", ""));
    }

    private static List<JSONObject> rules(int port) throws Exception {
        JSONArray groups = ask(port, "rules").getJSONArray("groups");
        return groups.getJSONObject(0).getJSONArray("rules").toList(JSONObject.class);
    }

    private static JSONObject ask(int port, String what) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/" + what))
                .build();
        return JSON.parseObject(HTTP.send(request, BodyHandlers.ofString()).body())
                .getJSONObject("data");
    }
}
