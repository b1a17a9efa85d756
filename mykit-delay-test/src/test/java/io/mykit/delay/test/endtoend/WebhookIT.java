package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONObject;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Callbacks of the packaged server on its embedded default, to a receiver over real sockets. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WebhookIT {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path dir;

    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private volatile ToIntFunction<Received> status = request -> 200;
    private HttpServer receiver;
    private DelayServer server;
    private DelayClient client;

    @BeforeAll
    void start() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.setExecutor(threads);
        receiver.createContext("/", this::receive);
        receiver.start();
        server = DelayServer.start(
                "server",
                dir,
                Map.of(
                        "activemq.embedded-port",
                        Integer.toString(FreePorts.next()),
                        "delivery.topics.callbacks",
                        "webhook",
                        "delivery.policy.callbacks.gaps",
                        "300ms,600ms",
                        "delivery.topics.others",
                        "webhook",
                        "webhook.url",
                        url("/shared"),
                        "webhook.targets",
                        "http://127.0.0.0/8",
                        "webhook.secret",
                        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                        "webhook.timeout",
                        "15s",
                        "delivery.topics.kept",
                        "webhook",
                        "webhook.topics.kept.keep-result",
                        "true"));
        client = server.client();
    }

    @AfterAll
    void stop() {
        server.close();
        receiver.stop(0);
        threads.shutdownNow();
    }

    @BeforeEach
    void acceptAll() {
        status = request -> 200;
    }

    @Test
    void failedCallbackIsTriedAgainAfterGrowingGaps() {
        status = request -> request.attempt() < 3 ? 500 : 200;
        push(Map.of("id", "20", "body", "{\"order\":7}", "headers", Map.of("x-shop", "north"), "bizKey", "7"));
        awaitStatus("20", "FINISH");
        List<Received> requests = receivedOf("20");
        assertThat(requests).extracting(Received::attempt).containsExactly(1, 2, 3);
        assertThat(requests).allSatisfy(request -> {
            assertThat(request.path()).isEqualTo("/shared");
            assertThat(request.body()).isEqualTo("{\"order\":7}");
            assertThat(request.header("webhook-id")).isEqualTo("20");
            assertThat(request.header("webhook-signature")).startsWith("v1,");
            assertThat(request.header("mykit-delay-max-attempts")).isEqualTo("3");
            assertThat(request.header("x-shop")).isEqualTo("north");
            assertThat(request.header("content-type")).isEqualTo("application/json");
        });
        assertThat(requests.get(1).atMs() - requests.get(0).atMs()).isGreaterThanOrEqualTo(300);
        assertThat(requests.get(2).atMs() - requests.get(1).atMs()).isGreaterThanOrEqualTo(600);
    }

    @Test
    void deadLetterIsListedAndRespawned() {
        status = request -> 503;
        push(Map.of("id", "dead", "body", "x"));
        awaitStatus("dead", "FAILED");
        assertThat(receivedOf("dead")).hasSize(3);
        JSONObject listed = client.get("/dead?topic=callbacks")
                .dataObject()
                .getJSONArray("items")
                .getJSONObject(0);
        assertThat(listed).containsEntry("id", "dead").containsEntry("reason", "ATTEMPTS");
        assertThat(listed.getString("detail")).contains("HTTP 503");
        status = request -> 204;
        assertThat(client.post("/dead/respawn", "{\"topic\":\"callbacks\"}").dataObject())
                .containsEntry("respawned", 1);
        awaitStatus("dead", "FINISH");
        assertThat(receivedOf("dead").get(3).attempt()).isEqualTo(1);
        assertThat(client.get("/dead?topic=callbacks").dataObject().getJSONArray("items"))
                .isEmpty();
    }

    /** 410 says that the receiver is gone for good. */
    @Test
    void refusedCallbackIsADeadLetterAtOnce() {
        status = request -> 410;
        push(Map.of("topic", "others", "id", "gone", "body", "x"));
        awaitStatus("gone", "FAILED");
        assertThat(receivedOf("gone")).hasSize(1);
    }

    @Test
    void bytesArriveAsTheyWerePushed() {
        push(Map.of("id", "bytes", "bodyBase64", "AAECAw=="));
        awaitStatus("bytes", "FINISH");
        assertThat(receivedOf("bytes").get(0).header("content-type")).isEqualTo("application/octet-stream");
        assertThat(receivedOf("bytes").get(0).body()).isEqualTo("\0\u0001\u0002\u0003");
    }

    @Test
    void oneTargetThatNeverAnswersHoldsUpNoOther() {
        AtomicBoolean over = new AtomicBoolean();
        status = request -> {
            if (request.path().equals("/stuck")) {
                await().forever().untilTrue(over);
            }
            return 200;
        };
        for (int i = 0; i < 300; i++) {
            String id = "t" + i;
            String path = i % 30 == 0 ? "/stuck" : "/quick" + i % 7;
            push(Map.of("topic", "others", "id", id, "body", "x", "target", Map.of("url", url(path))));
        }
        try {
            await().atMost(Duration.ofSeconds(12))
                    .until(() -> received.stream()
                                    .filter(request -> request.path().startsWith("/quick"))
                                    .count()
                            == 290);
        } finally {
            over.set(true);
        }
    }

    @Test
    void theAnswerIsTheResultForWhichAProducerWaits() {
        for (String topic : List.of("kept", "callbacks")) {
            JSONObject job = client.push(
                            Map.of("topic", topic, "id", topic, "wait", "20s", "target", Map.of("url", url("/sum"))))
                    .json()
                    .getJSONObject("job");
            assertThat(job).containsEntry("statusName", "FINISH");
            assertThat(job.getString("result")).isEqualTo(topic.equals("kept") ? "seven" : null);
            assertThat(client.job(topic).dataObject()).isEqualTo(job);
        }
    }

    @Test
    void targetsThatAreNotAllowedAreRefusedAtThePush() {
        for (String url : List.of("http://10.0.0.1/", "https://169.254.169.254/latest", "http://[::1]/")) {
            Map<String, ?> message = Map.of("topic", "callbacks", "target", Map.of("url", url));
            Answer refused = client.push(message);
            assertThat(refused.status()).as(url).isEqualTo(403);
            assertThat(refused.error()).isEqualTo("TARGET_FORBIDDEN");
            assertThat(client.pushBatch(List.of(message))
                            .json()
                            .getJSONArray("data")
                            .getJSONObject(0))
                    .containsEntry("code", 403)
                    .containsEntry("error", "TARGET_FORBIDDEN");
        }
        Answer malformed = client.push(Map.of("topic", "callbacks", "target", Map.of("url", "ftp://127.0.0.1/")));
        assertThat(malformed.status()).isEqualTo(400);
        assertThat(malformed.error()).isEqualTo("INVALID_REQUEST");
        Answer noTargets = client.push(Map.of("topic", "orders", "target", Map.of("url", url("/"))));
        assertThat(noTargets.status()).as("a channel without targets").isEqualTo(400);
        assertThat(received).noneMatch(request -> request.path().equals("/"));
    }

    private void push(Map<String, ?> message) {
        Map<String, Object> whole = new HashMap<>(message);
        whole.putIfAbsent("topic", "callbacks");
        Answer answer = client.push(whole);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    }

    private List<Received> receivedOf(String id) {
        return received.stream()
                .filter(request -> request.header("webhook-id").equals(id))
                .toList();
    }

    private void awaitStatus(String id, String statusName) {
        await().atMost(Duration.ofSeconds(20))
                .until(() -> client.job(id).dataObject().getString("statusName").equals(statusName));
    }

    private String url(String path) {
        return "http://127.0.0.1:" + receiver.getAddress().getPort() + path;
    }

    private void receive(HttpExchange exchange) throws IOException {
        Received request = new Received(
                exchange.getRequestURI().getPath(),
                exchange.getRequestHeaders(),
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1),
                System.currentTimeMillis());
        received.add(request);
        byte[] answer = request.path().equals("/sum") ? "seven".getBytes(StandardCharsets.UTF_8) : new byte[0];
        exchange.sendResponseHeaders(status.applyAsInt(request), answer.length == 0 ? -1 : answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    private record Received(String path, Map<String, List<String>> headers, String body, long atMs) {
        String header(String name) {
            return headers.getOrDefault(Character.toUpperCase(name.charAt(0)) + name.substring(1), List.of(""))
                    .get(0);
        }

        int attempt() {
            return Integer.parseInt(header("mykit-delay-attempt"));
        }
    }
}
