package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONObject;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Callbacks of the packaged server to the instances of services, over real sockets. */
@Tag("long")
class ServiceCallbacksIT {
    private static final String PATH = "/mykit-delay/callback";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private final AtomicInteger lastId = new AtomicInteger();
    private Instance one;
    private Instance other;
    private HttpServer eureka;
    private DelayServer server;
    private DelayClient client;

    @BeforeEach
    void start() throws IOException {
        one = new Instance(0);
        other = new Instance(0);
        eureka = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        eureka.createContext("/eureka/apps/STOCK", exchange -> {
            byte[] body =
                    ("{\"application\":{\"name\":\"STOCK\",\"instance\":[{\"hostName\":\"127.0.0.1\",\"status\":\"UP\","
                                    + "\"port\":{\"$\":" + one.port() + ",\"@enabled\":\"true\"}}]}}")
                            .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        eureka.start();
        server = DelayServer.start(
                "server",
                dir,
                Map.ofEntries(
                        Map.entry("activemq.embedded-port", Integer.toString(FreePorts.next())),
                        Map.entry("delivery.topics.shop/*", "webhook"),
                        Map.entry("delivery.topics.any", "webhook"),
                        Map.entry("webhook.topics.shop/*.url", "service://shop" + PATH),
                        Map.entry(
                                "webhook.services",
                                "shop=http://127.0.0.1:" + one.port() + " http://127.0.0.1:" + other.port()),
                        Map.entry("webhook.discovery", "eureka"),
                        Map.entry(
                                "webhook.eureka-url",
                                "http://user:hush-hush@127.0.0.1:"
                                        + eureka.getAddress().getPort() + "/eureka"),
                        Map.entry("webhook.targets", "service://stock"),
                        Map.entry("webhook.circuit-failures", "2"),
                        Map.entry("webhook.circuit-pause", "1s")));
        client = server.client();
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
        eureka.stop(0);
        one.stop();
        other.stop();
    }

    @Test
    void messagesOfAnInstanceThatIsGoneGoToTheOtherOneUncounted() throws IOException {
        push(20);
        assertThat(one.paths).hasSize(10).containsOnly(PATH);
        assertThat(other.paths).hasSize(10);

        one.stop();
        push(20);
        assertThat(one.paths).hasSize(10);
        assertThat(other.paths).hasSize(30);

        one = new Instance(one.port());
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            push(2);
            return !one.paths.isEmpty();
        });
    }

    @Test
    void aTopicWaitsUncountedWhileItsServiceIsAway() throws IOException {
        one.stop();
        other.stop();
        String id = push(Map.of("topic", "shop/orders", "body", "x"));
        await().atMost(Duration.ofSeconds(20))
                .until(() -> client.get("/health").text().contains("no connection"));
        assertThat(job(id)).containsEntry("attempts", 0);

        other = new Instance(other.port());
        awaitFinish(id);
        assertThat(job(id)).containsEntry("attempts", 0);
        assertThat(other.paths).hasSize(1);
    }

    @Test
    void aTargetMayNameAServiceThatEurekaKnows() throws IOException {
        String id = push(Map.of("topic", "any", "target", Map.of("url", "service://stock/count")));
        awaitFinish(id);
        assertThat(one.paths).containsExactly("/count");

        Answer refused = client.push(Map.of("topic", "any", "target", Map.of("url", "service://shop/count")));
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.error()).isEqualTo("TARGET_FORBIDDEN");
        assertThat(server.log()).doesNotContain("hush-hush");
    }

    /** Pushes messages one after the other, and waits for their delivery in the first attempt. */
    private void push(int messages) {
        for (int i = 0; i < messages; i++) {
            String id = push(Map.of("topic", "shop/orders", "body", "x"));
            awaitFinish(id);
            assertThat(job(id)).containsEntry("attempts", 0);
        }
    }

    private String push(Map<String, ?> message) {
        Map<String, Object> whole = new HashMap<>(message);
        String id = "m" + lastId.incrementAndGet();
        whole.put("id", id);
        Answer answer = client.push(whole);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return id;
    }

    private void awaitFinish(String id) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> job(id).getString("statusName").equals("FINISH"));
    }

    private JSONObject job(String id) {
        return client.job(id).dataObject();
    }

    /** An instance of an application on 127.0.0.1. It keeps the paths of its requests. */
    private static final class Instance {
        private final List<String> paths = new CopyOnWriteArrayList<>();
        private final HttpServer http;

        Instance(int port) throws IOException {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
            http.createContext("/", exchange -> {
                exchange.getRequestBody().readAllBytes();
                paths.add(exchange.getRequestURI().getPath());
                exchange.sendResponseHeaders(204, -1);
                exchange.close();
            });
            http.start();
        }

        int port() {
            return http.getAddress().getPort();
        }

        void stop() {
            http.stop(0);
        }
    }
}
