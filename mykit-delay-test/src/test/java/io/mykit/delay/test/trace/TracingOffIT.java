package io.mykit.delay.test.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.FreePorts;
import io.mykit.delay.test.server.SharedServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Traces that are switched off, or whose receiver is away, disturb nothing. */
@Tag("long")
class TracingOffIT {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void withoutAnEndpointTheContextGoesThroughAndNoTracingLibraryIsLoaded() throws IOException {
        Path classes = dir.resolve("classes.log");
        String options = "-Xmx384m -Xlog:class+load:file=" + classes;
        Map<String, String> settings = Map.of(
                "datasource.url", SharedServers.mysql().freshDatabase("tracing_off"),
                "datasource.username", "root",
                "delivery.default-channel", "pull",
                "delivery.topics.broker", "rocketmq",
                "rocketmq.namesrv-addr", "127.0.0.1:" + FreePorts.next());
        try (DelayServer server = DelayServer.start("off", dir, settings, options)) {
            TracedClient client = new TracedClient(server);
            client.post("/push", Map.of("topic", "broker", "id", "b1", "body", "work"));
            await().atMost(PATIENCE).until(() -> server.log().contains("Topic broker cannot be delivered"));
            String producer = TracedClient.parent(true);
            client.post("/push", Map.of("topic", "t", "id", "m1", "body", "work"), "traceparent", producer);
            assertThat(pulled(client).getJSONObject("headers")).containsEntry("traceparent", producer);

            client.post("/push", Map.of("topic", "t", "id", "m2", "body", "work"));
            assertThat(pulled(client).getJSONObject("headers")).isEmpty();
            assertThat(server.client().get("/metrics").text())
                    .contains("mykit_delay_trace_spans_total{outcome=\"exported\"} 0");
        }
        assertThat(Files.readString(classes))
                .contains("io.mykit.delay.access.trace.RequestTraces ")
                .doesNotContain("io.opentelemetry.")
                .doesNotContain("io.mykit.delay.tracing.");
    }

    @Test
    void aReceiverThatIsAwayLosesSpansAndNothingElse() {
        Map<String, String> settings = Map.of(
                "delivery.default-channel", "pull",
                "tracing.propagate", "false",
                "tracing.ratio", "1",
                "tracing.otlp.endpoint", "http://127.0.0.1:" + FreePorts.next() + "/v1/traces");
        try (DelayServer server = DelayServer.start("away", dir, settings)) {
            TracedClient client = new TracedClient(server);
            assertThat(client.post(
                                    "/push",
                                    Map.of("topic", "t", "id", "m1", "body", "work"),
                                    "traceparent",
                                    TracedClient.parent(true))
                            .status())
                    .isEqualTo(200);
            assertThat(pulled(client).getJSONObject("headers")).isEmpty();
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(
                            server.client().get("/metrics").text())
                    .containsPattern("mykit_delay_trace_spans_total\\{outcome=\"failed\"} [1-9]"));
            assertThat(server.log()).containsOnlyOnce("Spans cannot be sent to http://127.0.0.1:");
        }
    }

    private static JSONObject pulled(TracedClient client) {
        return client.post("/pull", Map.of("topic", "t", "wait", "20s"))
                .json()
                .getJSONArray("data")
                .getJSONObject(0);
    }
}
