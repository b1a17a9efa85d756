package io.mykit.delay.test.trace;

import static io.mykit.delay.test.trace.TracedClient.context;
import static io.mykit.delay.test.trace.TracedClient.parent;
import static io.mykit.delay.test.trace.TracedClient.spanId;
import static io.mykit.delay.test.trace.TracedClient.traceId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONObject;
import com.sun.net.httpserver.HttpServer;
import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.test.delivery.ActiveMqInbox;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The packaged server sends its spans to a receiver: from a producer to a consumer, with each kind of channel. */
@Tag("long")
class TracingIT {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String BROKER_TOPIC = "traced-" + System.nanoTime();

    /** The headers of each callback. The first one of a message fails. */
    private static final List<Map<String, String>> CALLBACKS = new CopyOnWriteArrayList<>();

    private static SpanReceiver receiver;
    private static HttpServer callbacks;
    private static RedisServer redis;
    private static DelayServer server;
    private static TracedClient client;

    @BeforeAll
    static void start(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path dir) throws IOException {
        receiver = new SpanReceiver();
        callbacks = callbacks();
        redis = RedisServer.start(dir.resolve("redis"), "tracing");
        Map<String, String> settings = new HashMap<>(receiver.settings());
        settings.put("tracing.ratio", "1");
        settings.put("tracing.service-name", "delay-under-test");
        settings.put("redis.uri", redis.uri());
        settings.put("delivery.default-channel", "pull");
        settings.put("delivery.topics." + BROKER_TOPIC, "activemq");
        settings.put("delivery.topics.hook", "webhook");
        settings.put("delivery.policy.hook.interval", "100ms");
        settings.put("activemq.broker-url", SharedServers.activeMq().url());
        settings.put("webhook.url", "http://127.0.0.1:" + callbacks.getAddress().getPort() + "/");
        settings.put("log.requests", "all");
        server = DelayServer.start("traced", dir.resolve("server"), settings);
        client = new TracedClient(server);
    }

    @AfterAll
    static void stop() {
        server.close();
        redis.close();
        callbacks.stop(0);
        receiver.close();
    }

    @Test
    void eachAttemptOfACallbackIsLinkedToThePush() {
        String producer = parent(true);
        push(Map.of("topic", "hook", "id", "h1", "delay", 200, "body", "work"), producer);

        SeenSpan pushed = receiver.await("POST /push", span -> "h1".equals(id(span)));
        assertThat(pushed.traceId()).isEqualTo(traceId(producer));
        assertThat(pushed.parentId()).isEqualTo(spanId(producer));
        assertThat(pushed.kind()).isEqualTo(SeenSpan.SERVER);
        assertThat(pushed.attributes())
                .containsEntry("http.request.method", "POST")
                .containsEntry("http.route", "/push")
                .containsEntry("http.response.status_code", 200L);
        assertThat(pushed.endNanos()).isGreaterThanOrEqualTo(pushed.startNanos());

        List<SeenSpan> sends = receiver.awaitAll("send hook", span -> "h1".equals(id(span)), 2);
        assertThat(sends).hasSize(2).allSatisfy(send -> {
            assertThat(send.kind()).isEqualTo(SeenSpan.CLIENT);
            assertThat(send.parentId()).isEmpty();
            assertThat(send.links()).containsExactly(context(producer));
            assertThat(send.attributes())
                    .containsEntry("messaging.system", "webhook")
                    .containsEntry("messaging.destination.name", "hook");
        });
        assertThat(sends.get(0).attributes())
                .containsEntry("mykit_delay.attempt", 1L)
                .containsEntry("error.type", "failed");
        assertThat(sends.get(0).status()).isEqualTo(SeenSpan.ERROR);
        assertThat(sends.get(1).attributes())
                .containsEntry("mykit_delay.attempt", 2L)
                .containsEntry("messaging.message.body.size", 4L)
                .doesNotContainKey("error.type");

        // The receiver is a child of the attempt, and knows the producer.
        List<Map<String, String>> calls = CALLBACKS.stream()
                .filter(headers -> "h1".equals(headers.get("mykit-delay-id")))
                .toList();
        assertThat(calls.stream().map(headers -> context(headers.get("traceparent"))))
                .containsExactlyElementsOf(sends.stream().map(SeenSpan::context).toList());
        assertThat(calls).allSatisfy(headers -> assertThat(headers).containsEntry("mykit-delay-traceparent", producer));
    }

    @Test
    void consumersOfABrokerGetTheContextOfTheirProducer() throws Exception {
        String request = parent(true);
        String own = parent(true);
        String unsampled = parent(false);
        try (ActiveMqInbox inbox =
                ActiveMqInbox.ofQueue(SharedServers.activeMq().url(), BROKER_TOPIC)) {
            List<Map<String, Object>> items = List.of(
                    Map.of("topic", BROKER_TOPIC, "id", "b1", "delay", 300, "body", "1"),
                    Map.of(
                            "topic",
                            BROKER_TOPIC,
                            "id",
                            "b2",
                            "delay",
                            300,
                            "body",
                            "2",
                            "headers",
                            Map.of("traceparent", own)),
                    Map.of(
                            "topic",
                            BROKER_TOPIC,
                            "id",
                            "b3",
                            "delay",
                            300,
                            "body",
                            "3",
                            "headers",
                            Map.of("traceparent", unsampled)));
            assertThat(client.post("/push/batch", items, "traceparent", request, "tracestate", "vendor=1")
                            .status())
                    .isEqualTo(200);

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(inbox.arrivals()).hasSize(3));
            Map<String, Map<String, Object>> properties =
                    inbox.arrivals().stream().collect(Collectors.toMap(Arrival::id, Arrival::properties));
            assertThat(properties.get("b1"))
                    .containsEntry("traceparent", request)
                    .containsEntry("tracestate", "vendor=1");
            assertThat(properties.get("b2")).containsEntry("traceparent", own).doesNotContainKey("tracestate");
            assertThat(properties.get("b3")).containsEntry("traceparent", unsampled);
        }
        SeenSpan batch =
                receiver.await("POST /push/batch", span -> spanId(request).equals(span.parentId()));
        assertThat(batch.attributes()).containsEntry("messaging.batch.message_count", 3L);
        receiver.await("send " + BROKER_TOPIC, span -> span.links().contains(context(request)));
        receiver.await("send " + BROKER_TOPIC, span -> span.links().contains(context(own)));
        assertThat(receiver.spans()).allSatisfy(span -> {
            assertThat(span.links()).doesNotContain(context(unsampled));
            assertThat(span.traceId()).isNotEqualTo(traceId(unsampled));
        });
    }

    @Test
    void aConsumerThatPullsGetsTheContextAlsoAfterALossOfRedis() {
        String producer = parent(true);
        push(Map.of("topic", "pulled", "id", "p1", "delay", 1500, "body", "work"), producer);
        redis.command("FLUSHALL");

        JSONObject message = pull("pulled");
        assertThat(message.getJSONObject("headers")).containsEntry("traceparent", producer);
        SeenSpan pulled = receiver.await("POST /pull", span -> span.links().contains(context(producer)));
        assertThat(pulled.kind()).isEqualTo(SeenSpan.SERVER);
        assertThat(pulled.attributes()).containsEntry("messaging.operation.type", "receive");

        String consumer = parent(true);
        assertThat(client.post("/ack", Map.of("id", "p1", "receipt", message.get("receipt")), "traceparent", consumer)
                        .status())
                .isEqualTo(200);
        SeenSpan acked = receiver.await("POST /ack", span -> spanId(consumer).equals(span.parentId()));
        assertThat(acked.attributes())
                .containsEntry("messaging.operation.type", "settle")
                .containsEntry("messaging.operation.name", "ack")
                .containsEntry("messaging.message.id", "p1");
    }

    @Test
    void aPushWithoutAContextCreatesOne() {
        assertThat(client.post("/push", Map.of("topic", "created", "id", "c1", "body", "work"))
                        .status())
                .isEqualTo(200);

        String kept = pull("created").getJSONObject("headers").getString("traceparent");
        SeenSpan created = receiver.await("create created", span -> "c1".equals(id(span)));
        assertThat(context(kept)).isEqualTo(created.context());
        assertThat(created.kind()).isEqualTo(SeenSpan.PRODUCER);
        SeenSpan pushed = receiver.await("POST /push", span -> "c1".equals(id(span)));
        assertThat(created.traceId()).isEqualTo(pushed.traceId());
        assertThat(created.parentId()).isEqualTo(pushed.spanId());
        assertThat(pushed.parentId()).isEmpty();
        assertThat(receiver.resource())
                .containsEntry("service.name", "delay-under-test")
                .containsKeys("service.version", "service.instance.id");
    }

    @Test
    void anUnsampledPushKeepsItsContextAndMakesNoSpan() {
        String unsampled = parent(false);
        push(Map.of("topic", "unsampled", "id", "u1", "body", "work"), unsampled);
        assertThat(pull("unsampled").getJSONObject("headers")).containsEntry("traceparent", unsampled);

        // A later span has arrived, so one of the push would have arrived before it.
        push(Map.of("topic", "marker", "id", "u2", "body", "work"), parent(true));
        receiver.await("POST /push", span -> "u2".equals(id(span)));
        assertThat(receiver.spans())
                .noneMatch(span -> "u1".equals(id(span))
                        || span.links().contains(context(unsampled))
                        || span.traceId().equals(traceId(unsampled)));
    }

    @Test
    void aRepeatedPushWithAnotherContextIsARetry() {
        Map<String, Object> message = Map.of("topic", "repeated", "id", "r1", "delay", 60_000, "body", "work");
        push(message, parent(true));
        push(message, parent(true));
        push(message, "00-malformed");
        assertThat(client.post(
                                "/push",
                                Map.of("topic", "repeated", "id", "r1", "delay", 60_000, "body", "other"),
                                "traceparent",
                                parent(true))
                        .error())
                .isEqualTo("ID_CONFLICT");
    }

    @Test
    void theTokenOfTheEndpointIsSentAndNotShown() {
        String producer = parent(true);
        push(Map.of("topic", "secret", "id", "s1", "body", "work"), producer);
        receiver.await("POST /push", span -> "s1".equals(id(span)));
        assertThat(receiver.tokens()).containsExactly(SpanReceiver.SECRET);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(server.log()).contains("trace " + traceId(producer)));
        assertThat(server.log()).doesNotContain(SpanReceiver.SECRET);
        assertThat(server.client().get("/config").text()).doesNotContain(SpanReceiver.SECRET);
        assertThat(server.client().get("/metrics").text())
                .containsPattern("mykit_delay_trace_spans_total\\{outcome=\"exported\"} [1-9]");
    }

    private static void push(Map<String, ?> message, String traceparent) {
        assertThat(client.post("/push", message, "traceparent", traceparent).status())
                .isEqualTo(200);
    }

    private static JSONObject pull(String topic) {
        return client.post("/pull", Map.of("topic", topic, "wait", "20s"))
                .json()
                .getJSONArray("data")
                .getJSONObject(0);
    }

    private static Object id(SeenSpan span) {
        return span.attributes().get("messaging.message.id");
    }

    private static HttpServer callbacks() throws IOException {
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            Map<String, String> headers = new HashMap<>();
            exchange.getRequestHeaders()
                    .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.get(0)));
            CALLBACKS.add(headers);
            exchange.sendResponseHeaders("1".equals(headers.get("mykit-delay-attempt")) ? 500 : 200, -1);
            exchange.close();
        });
        http.start();
        return http;
    }
}
