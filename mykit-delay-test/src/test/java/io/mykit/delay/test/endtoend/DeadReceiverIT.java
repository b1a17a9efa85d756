package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.delivery.ActiveMqInbox;
import io.mykit.delay.test.delivery.RocketMqInbox;
import io.mykit.delay.test.server.ActiveMqServer;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.FreePorts;
import io.mykit.delay.test.server.RocketMqServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Due messages that are cancelled, moved and replaced while no receiver can be reached, and what arrives when it is back. */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeadReceiverIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path dir;

    private final int callbackPort = FreePorts.next();
    private final List<String> received = new CopyOnWriteArrayList<>();
    private ActiveMqServer activeMq;
    private RocketMqServer rocketMq;
    private DelayServer server;
    private DelayClient client;

    @BeforeAll
    void start() {
        activeMq = ActiveMqServer.start(dir.resolve("activemq"));
        rocketMq = RocketMqServer.prepare(dir.resolve("rocketmq"), Map.of());
        server = DelayServer.start(
                "server",
                dir,
                Map.of(
                        "activemq.broker-url", activeMq.url(),
                        "rocketmq.namesrv-addr", rocketMq.nameServerAddress(),
                        "delivery.topics.rocket", "rocketmq",
                        "delivery.topics.callbacks", "webhook",
                        "webhook.url", "http://127.0.0.1:" + callbackPort + "/",
                        "webhook.targets", "http://127.0.0.0/8",
                        "webhook.timeout", "3s",
                        "delivery.retry-max", "1s"));
        client = server.client();
    }

    @AfterAll
    void stop() {
        server.close();
        activeMq.close();
        rocketMq.close();
    }

    @Test
    void activeMqIsKilled() {
        push("a-before", "active", 0, "x");
        awaitStatus("a-before", "FINISH");
        activeMq.kill();
        await().atMost(PATIENCE)
                .until(() -> client.health().dataObject().getString("status").equals("DEGRADED"));
        changeWhatIsDue("a", "active");
        activeMq.restart();
        try (Inbox inbox = ActiveMqInbox.ofQueue(activeMq.url(), "active")) {
            assertArrivals("a", () -> inbox.arrivals().stream()
                    .map(Arrival::id)
                    .filter(id -> !id.equals("a-before"))
                    .toList());
        }
    }

    @Test
    void rocketMqIsKilled() {
        rocketMq.startNameServer();
        rocketMq.startBroker();
        push("r-before", "rocket", 0, "x");
        awaitStatus("r-before", "FINISH");
        rocketMq.broker().kill();
        changeWhatIsDue("r", "rocket");
        rocketMq.startBroker();
        try (Inbox inbox = new RocketMqInbox(rocketMq.nameServerAddress(), "rocket")) {
            assertArrivals("r", () -> inbox.arrivals().stream()
                    .map(Arrival::id)
                    .filter(id -> !id.equals("r-before"))
                    .distinct()
                    .toList());
        }
    }

    @Test
    void theReceiverOfCallbacksIsClosed() throws IOException {
        changeWhatIsDue("c", "callbacks");
        HttpServer receiver =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), callbackPort), 0);
        receiver.createContext("/", exchange -> {
            received.add(exchange.getRequestHeaders().getFirst("webhook-id"));
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        receiver.start();
        try {
            assertArrivals("c", () -> List.copyOf(received));
        } finally {
            receiver.stop(0);
        }
    }

    /** The request left this node, and no answer came: a cancel stops the next attempt, and says that this one was made. */
    @Test
    void aCancelTellsOfAnAttemptWithoutAnAnswer() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String url = "http://127.0.0.1:" + silent.getLocalPort() + "/";
            client.push(Map.of(
                    "id",
                    "silent",
                    "topic",
                    "callbacks",
                    "delay",
                    0,
                    "body",
                    "x",
                    "target",
                    Map.of("url", url),
                    "retry",
                    Map.of("gaps", List.of("1h"))));
            await().atMost(PATIENCE)
                    .until(() -> client.job("silent").dataObject().getIntValue("attempts") == 1);
            for (int times = 0; times < 2; times++) {
                Answer answer = client.delete("silent");
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.json().getBoolean("attempted")).isTrue();
            }
        }
    }

    private void changeWhatIsDue(String prefix, String topic) {
        for (String what : List.of("kept", "cancelled", "moved", "replaced", "later")) {
            push(prefix + "-" + what, topic, 0, "old");
        }
        awaitStatus(prefix + "-kept", "READY");
        // The topic is probed with one message at a time, and a delivery that is under way cannot be stopped.
        Answer cancelled = untilAccepted(() -> client.delete(prefix + "-cancelled"));
        assertThat(cancelled.data()).isEqualTo(prefix + "-cancelled");
        assertThat(cancelled.json().containsKey("attempted")).isFalse();
        assertThat(client.delete(prefix + "-cancelled").status()).isEqualTo(200);
        untilAccepted(() -> client.post("/reschedule", "{\"id\":\"" + prefix + "-moved\",\"delay\":\"1h\"}"));
        untilAccepted(() -> client.push(
                Map.of("id", prefix + "-replaced", "topic", topic, "delay", 0, "body", "new", "replace", true)));
        untilAccepted(() -> client.push(
                Map.of("id", prefix + "-later", "topic", topic, "delay", 3_600_000, "body", "new", "replace", true)));
        assertThat(status(prefix + "-cancelled")).isEqualTo("DELETE");
        assertThat(status(prefix + "-moved")).isIn("DELAY", "WAIT_PUT");
    }

    private static Answer untilAccepted(Supplier<Answer> call) {
        return await().atMost(PATIENCE).until(call::get, answer -> {
            assertThat(answer.status()).isIn(200, 409);
            return answer.status() == 200;
        });
    }

    private void assertArrivals(String prefix, Supplier<List<String>> arrived) {
        awaitStatus(prefix + "-kept", "FINISH");
        awaitStatus(prefix + "-replaced", "FINISH");
        String topic = client.job(prefix + "-kept").dataObject().getString("topic");
        push(prefix + "-last", topic, 0, "x");
        String[] expected = {prefix + "-kept", prefix + "-replaced", prefix + "-last"};
        await().atMost(PATIENCE).until(() -> arrived.get().containsAll(List.of(expected)));
        assertThat(arrived.get()).containsExactlyInAnyOrder(expected);
        assertThat(status(prefix + "-cancelled")).isEqualTo("DELETE");
    }

    private void push(String id, String topic, long delayMs, String body) {
        Answer answer = client.push(Map.of("id", id, "topic", topic, "delay", delayMs, "body", body));
        assertThat(answer.status()).isEqualTo(200);
    }

    private void awaitStatus(String id, String status) {
        await().atMost(PATIENCE).until(() -> status(id).equals(status));
    }

    private String status(String id) {
        return client.job(id).dataObject().getString("statusName");
    }
}
