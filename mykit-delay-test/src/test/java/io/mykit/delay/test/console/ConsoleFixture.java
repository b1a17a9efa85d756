package io.mykit.delay.test.console;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.FreePorts;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The packaged server with its embedded parts for all tests of a class, and the browser of this JVM. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ConsoleFixture {
    static final long HOUR_MS = 3_600_000;

    Browser browser;
    DelayServer server;
    DelayClient client;
    Console console;

    /** Settings beside those of every fixture. */
    Map<String, String> settings() {
        return Map.of();
    }

    /** Called once the server runs, if it has no tokens. */
    void fill() {}

    @BeforeAll
    void start(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path dir) {
        browser = Browser.shared();
        Map<String, String> settings = new HashMap<>(Map.of(
                "activemq.embedded-port", Integer.toString(FreePorts.next()),
                "delivery.topics.shown", "console",
                "delivery.topics.tasks", "pull",
                "delivery.policy.tasks.max-attempts", "1"));
        settings.putAll(settings());
        server = DelayServer.start("console", dir, settings);
        client = server.client();
        console = new Console(browser, server.url());
        fill();
    }

    @AfterAll
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    /** Pushes a message that waits in Redis for half an hour. */
    void pushWaiting(String id, String topic) {
        push(Map.of(
                "id",
                id,
                "topic",
                topic,
                "delay",
                HOUR_MS / 2,
                "body",
                "{\"order\":1,\"amount\":12345678901234567890}"));
    }

    void push(Map<String, ?> message) {
        if (client.push(message).status() != 200) {
            throw new IllegalStateException("refused: " + message);
        }
    }

    /** Makes a dead letter: its only attempt fails. */
    void pushDead(String id, String detail) {
        push(Map.of("id", id, "topic", "tasks", "body", "work"));
        Console.patiently().until(() -> {
            var pulled = client.post("/pull?topic=tasks&count=100", "").json().getJSONArray("data");
            for (Object each : pulled) {
                JSONObject message = (JSONObject) each;
                client.post(
                        "/nack",
                        JSONObject.of("id", message.get("id"), "receipt", message.get("receipt"), "detail", detail)
                                .toString());
            }
            return "FAILED".equals(status(id));
        });
    }

    String status(String id) {
        JSONObject job = client.job(id).dataObject();
        return job == null ? null : job.getString("statusName");
    }

    void awaitStatus(String id, String status) {
        Console.patiently().until(() -> status.equals(status(id)));
    }
}
