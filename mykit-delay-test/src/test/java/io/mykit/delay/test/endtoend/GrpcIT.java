package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.FreePorts;
import io.mykit.delay.test.server.GrpcReceiver;
import io.mykit.delay.test.server.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.example.grpc.OrderReceiver;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Calls of the packaged server on its embedded default, to receivers of grpc-netty that are processes of their own. */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GrpcIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int PER_HOST = 4;
    /** With one second each they take twelve. */
    private static final int MANY = 12 * PER_HOST;

    private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path dir;

    private GrpcReceiver well;
    private GrpcReceiver ill;
    private DelayServer server;
    private DelayClient client;

    @BeforeAll
    void start() {
        well = GrpcReceiver.start(dir.resolve("well"));
        ill = GrpcReceiver.start(dir.resolve("ill"));
        server = DelayServer.start(
                "server",
                dir,
                Map.ofEntries(
                        Map.entry("activemq.embedded-port", Integer.toString(FreePorts.next())),
                        Map.entry("delivery.topics.cancel", "grpc"),
                        Map.entry("delivery.topics.targeted", "grpc"),
                        Map.entry("delivery.topics.urls", "webhook"),
                        Map.entry("delivery.retry-max", "1s"),
                        Map.entry("webhook.targets", "http://127.0.0.0/8"),
                        Map.entry("grpc.topics.cancel.host", ill.host()),
                        Map.entry("grpc.topics.cancel.service", "shop.Orders"),
                        Map.entry("grpc.topics.cancel.method", "Cancel"),
                        Map.entry("grpc.targets", "grpc://127.0.0.0/8"),
                        Map.entry("grpc.timeout", "5s"),
                        Map.entry("grpc.per-host", Integer.toString(PER_HOST)),
                        Map.entry("grpc.circuit-failures", "3"),
                        Map.entry("grpc.circuit-pause", "1s")));
        client = server.client();
    }

    @AfterAll
    void stop() {
        server.close();
        well.close();
        ill.close();
    }

    @Test
    void aTargetGetsTheBytesAndTheMetadata() {
        push(Map.of(
                "id",
                "bytes",
                "bodyBase64",
                "CAcA/w==",
                "headers",
                Map.of("x-shop", "north", "traceparent", TRACE),
                "target",
                to("Third")));
        awaitStatus("bytes", "FINISH");
        List<GrpcReceiver.Call> calls = well.callsOf("bytes");
        assertThat(calls).extracting(GrpcReceiver.Call::attempt).containsExactly(1, 2, 3);
        assertThat(calls).allSatisfy(call -> {
            assertThat(call.method()).isEqualTo("shop.Orders/Third");
            assertThat(call.bodyBase64()).isEqualTo("CAcA/w==");
            assertThat(call.traceparent()).isEqualTo(TRACE);
            assertThat(call.shop()).isEqualTo("north");
            assertThat(call.contentType()).isEqualTo("application/grpc");
            assertThat(call.leftMs()).isBetween(1L, 5_000L);
        });
        JSONObject job = client.job("bytes").dataObject();
        assertThat(job.getString("destination")).isEqualTo("grpc://" + well.host());
        assertThat(job.getJSONObject("target")).containsEntry("method", "Third");
    }

    @Test
    void aMessageThatTheReceiverRefusesIsADeadLetterAtOnce() {
        push(Map.of("id", "invalid", "body", "x", "target", to("Invalid")));
        awaitStatus("invalid", "FAILED");
        assertThat(well.callsOf("invalid")).hasSize(1);
        assertThat(client.get("/dead?topic=targeted").text()).contains("INVALID_ARGUMENT: no such order");
    }

    @Test
    void aCallWithoutAnAnswerEndsAtItsDeadline() {
        push(Map.of("id", "never", "body", "x", "target", to("Never"), "retry", Map.of("maxAttempts", 1)));
        awaitStatus("never", "FAILED");
        assertThat(client.get("/dead?topic=targeted").text()).contains("no answer within 5000 ms");
        assertThat(well.callsOf("never")).hasSize(1);
    }

    @Test
    void aSlowHostCostsItsMessagesTimeAndNothingElse() {
        String ownHost = "grpc://localhost:" + well.host().replaceAll(".*:", "");
        Map<String, String> target = Map.of("host", ownHost, "service", "shop.Orders", "method", "Slow");
        List<String> slow = IntStream.range(0, MANY).mapToObj(i -> "slow" + i).toList();
        Answer pushed = client.pushBatch(slow.stream()
                .map(id -> Map.of("topic", "targeted", "id", id, "body", "x", "target", target))
                .toList());
        assertThat(pushed.text()).doesNotContain("\"success\":false");
        push(Map.of("id", "beside", "body", "x", "target", to("Take")));
        awaitStatus("beside", "FINISH");
        slow.forEach(id -> awaitStatus(id, "FINISH"));
        List<String> arrived = well.calls().stream().map(GrpcReceiver.Call::id).toList();
        assertThat(arrived).containsOnlyOnceElementsOf(slow);
        int last = slow.stream().mapToInt(arrived::indexOf).max().orElseThrow();
        assertThat(arrived.indexOf("beside")).isLessThan(last);
    }

    /** The host of the topic is killed, frozen and started again; a host of targets that fails has an open circuit meanwhile. */
    @Test
    void whatIsAwayWaitsAndCostsOthersNothing() {
        push("cancel", Map.of("id", "before", "body", "x"));
        awaitStatus("before", "FINISH");
        ill.kill();
        push("cancel", Map.of("id", "killed", "body", "x"));
        Map<String, String> dead = Map.of("host", ill.host(), "service", "shop.Orders", "method", "Take");
        Map<String, ?> often = Map.of("gaps", List.of("100ms"), "maxAttempts", 1000);
        for (int i = 0; i < 6; i++) {
            push(Map.of("id", "dead" + i, "body", "x", "target", dead, "retry", often));
        }
        await().atMost(PATIENCE).until(() -> channel().getIntValue("openCircuits") == 1);
        push(Map.of("id", "others", "body", "x", "target", to("Take")));
        awaitStatus("others", "FINISH");
        awaitStatus("killed", "READY");

        ill.restart();
        awaitStatus("killed", "FINISH");
        assertThat(ill.callsOf("killed")).hasSize(1);
        assertThat(ill.callsOf("killed").get(0).attempt()).as("not counted").isEqualTo(1);
        for (int i = 0; i < 6; i++) {
            awaitStatus("dead" + i, "FINISH");
        }

        ill.freeze();
        try {
            push("cancel", Map.of("id", "frozen", "body", "x", "retry", often));
            await().atMost(PATIENCE)
                    .until(() -> client.job("frozen").dataObject().getIntValue("attempts") > 0);
            push(Map.of("id", "beside-frozen", "body", "x", "target", to("Take")));
            awaitStatus("beside-frozen", "FINISH");
        } finally {
            ill.thaw();
        }
        awaitStatus("frozen", "FINISH");
    }

    @Test
    void theChannelOfTheTopicDecidesWhichTargetsItTakes() {
        assertRefused(
                "targeted", Map.of("url", "http://127.0.0.1:1/"), 400, "INVALID_REQUEST", "target.url is unknown");
        assertRefused("urls", to("Take"), 400, "INVALID_REQUEST", "is unknown: a target has url and method");
        assertRefused("orders", to("Take"), 400, "INVALID_REQUEST", "target");
        assertRefused("targeted", Map.of("host", well.host()), 400, "INVALID_REQUEST", "target.service is missing");
        Map<String, String> closed = Map.of("host", "10.0.0.1:9090", "service", "a.B", "method", "C");
        assertRefused("targeted", closed, 403, "TARGET_FORBIDDEN", "grpc.targets");
        assertThat(client.push(Map.of("topic", "targeted", "body", "x")).text()).contains("target is missing");
    }

    /** {@code examples/example-grpc} */
    @Test
    void theExampleTakesAMessage() {
        int port = FreePorts.next();
        List<String> command =
                ServerProcess.java(List.of("-Xmx64m"), OrderReceiver.class.getName(), List.of(Integer.toString(port)));
        try (ServerProcess example = ServerProcess.start("example", dir, command, Map.of())) {
            example.awaitReady(() -> example.log().contains("listens on " + port));
            Map<String, String> target =
                    Map.of("host", "127.0.0.1:" + port, "service", "shop.Orders", "method", "Cancel");
            push(Map.of("id", "example", "bodyBase64", "CAc=", "target", target));
            awaitStatus("example", "FINISH");
            push(Map.of("id", "empty", "body", "", "target", target));
            awaitStatus("empty", "FAILED");
            // On a busy machine the program may need longer for its first answer than a request waits, and gets another
            // one.
            assertThat(example.log())
                    .contains("message example, attempt 1\n")
                    .contains("request 0807\nmessage empty, attempt 1\n");
        }
    }

    @Test
    void healthAndMetricsTellOfTheChannel() {
        push(Map.of("id", "measured", "body", "x", "target", to("Take")));
        awaitStatus("measured", "FINISH");
        assertThat(channel()).containsKeys("inFlight", "waiting", "openCircuits");
        await().atMost(PATIENCE).until(() -> client.get("/metrics")
                .text()
                .contains("mykit_delay_attempts_total{channel=\"grpc\",outcome=\"delivered\""));
    }

    private JSONObject channel() {
        return client.health()
                .dataObject()
                .getJSONObject("checks")
                .getJSONObject("channels")
                .getJSONObject("details")
                .getJSONObject("grpc");
    }

    private Map<String, String> to(String method) {
        return Map.of("host", well.host(), "service", "shop.Orders", "method", method, "format", "PROTOBUF");
    }

    private void assertRefused(String topic, Map<String, String> target, int status, String error, String text) {
        Answer answer = client.push(Map.of("topic", topic, "body", "x", "target", target));
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.error()).isEqualTo(error);
        assertThat(answer.text()).contains(text);
    }

    private void push(Map<String, ?> message) {
        push("targeted", message);
    }

    private void push(String topic, Map<String, ?> message) {
        Map<String, Object> whole =
                new HashMap<>(Map.of("topic", topic, "retry", Map.of("gaps", List.of("200ms", "200ms"))));
        whole.putAll(message);
        Answer answer = client.push(whole);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    }

    private String status(String id) {
        return client.job(id).dataObject().getString("statusName");
    }

    private void awaitStatus(String id, String statusName) {
        await().atMost(PATIENCE).until(() -> status(id).equals(statusName));
    }
}
