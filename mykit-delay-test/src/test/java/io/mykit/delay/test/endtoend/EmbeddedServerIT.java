package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONArray;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.delivery.ActiveMqInbox;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.FreePorts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The packaged server on its embedded default, started and stopped as a user does it. The kill comes last. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EmbeddedServerIT {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path dir;

    private int brokerPort;
    private DelayServer server;
    private DelayClient client;

    @BeforeAll
    void start() {
        brokerPort = FreePorts.next();
        server = DelayServer.start(
                "server",
                dir,
                Map.of("activemq.embedded-port", Integer.toString(brokerPort), "delivery.topics.shown", "console"));
        client = server.client();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    /** First: a database with rows has something to restore. */
    @Test
    @Order(0)
    void pushWaitArrive() {
        assertThat(server.log())
                .contains("http://127.0.0.1:" + server.port())
                .contains("curl")
                .doesNotContain("ERROR", "restored from the database");
        long pushedAtMs = System.currentTimeMillis();
        Answer pushed = client.post(
                "/push",
                "{\"body\":\"{hello world}\",\"delay\":5000,\"id\":\"20\",\"status\":0,\"topic\":\"ces\",\"subtopic\":\"\",\"ttl\":12}");
        assertThat(pushed.status()).isEqualTo(200);
        assertThat(pushed.json())
                .containsEntry("success", true)
                .containsEntry("code", 200)
                .containsEntry("data", "20");
        assertThat(client.job("20").dataObject().getString("statusName")).isEqualTo("DELAY");

        try (ActiveMqInbox inbox = ActiveMqInbox.ofQueue("tcp://127.0.0.1:" + brokerPort, "ces")) {
            Arrival arrival = inbox.awaitExactly(1, Duration.ofSeconds(20)).get(0);
            assertThat(arrival.id()).isEqualTo("20");
            assertThat(arrival.body()).isEqualTo("{hello world}");
            assertThat(arrival.dueTimeMs()).isGreaterThanOrEqualTo(pushedAtMs + 5000);
            assertThat(arrival.arrivedAtMs()).isGreaterThanOrEqualTo(arrival.dueTimeMs());
        }
        awaitFinished("20");
        JSONArray flow = client.job("20").dataObject().getJSONArray("flow");
        assertThat(flow.stream().map(row -> ((JSONObject) row).getString("toName")))
                .containsExactly("DELAY", "READY", "FINISH");
        assertThat(client.delete("20").error()).isEqualTo("ALREADY_DISPATCHED");
    }

    /** Without the optional index. */
    @Test
    void theMessagesOfABusinessKeyAreCancelledTogether() {
        for (String id : List.of("timer-1", "timer-2")) {
            client.push(Map.of("topic", "timers", "id", id, "bizKey", "4711", "delay", 1_800_000));
        }
        client.push(Map.of("topic", "other", "id", "timer-3", "bizKey", "4711", "delay", 1_800_000));
        Answer moved = client.post("/reschedule", "{\"topic\":\"timers\",\"bizKey\":\"4711\",\"delay\":\"1h\"}");
        assertThat(moved.json().getJSONArray("data")).as(moved.text()).hasSize(2);
        Answer cancelled = client.post("/delete?topic=timers&bizKey=4711", "");
        assertThat(cancelled.json().getJSONArray("data"))
                .as(cancelled.text())
                .extracting(item -> ((JSONObject) item).getString("data"))
                .containsExactly("timer-1", "timer-2");
        assertThat(client.job("timer-2").dataObject().getString("statusName")).isEqualTo("DELETE");
        assertThat(client.job("timer-3").dataObject().getString("statusName")).isEqualTo("DELAY");
    }

    @Test
    void theConsoleChannelShowsMessages() {
        client.push(Map.of("topic", "shown", "id", "on-stage", "body", "ta-da"));
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(
                        () -> assertThat(server.log()).contains("on-stage").contains("ta-da"));
        awaitFinished("on-stage");
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void aCleanStopAndAKillKeepEveryMessage() {
        List<String> ids = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 50; i++) {
                String id = "r" + round + "-" + i;
                // Some messages fall due while the server is down.
                long delayMs = i % 2 == 0 ? 500 : 8_000;
                assertThat(client.push(Map.of("topic", "kept", "id", id, "delay", delayMs))
                                .status())
                        .isEqualTo(200);
                ids.add(id);
            }
            if (round == 0) {
                assertThat(server.stop())
                        .as("exit code of a stop that was asked for")
                        .isZero();
            } else if (round == 1) {
                server.kill();
            }
            if (round < 2) {
                server.restart();
            }
        }
        try (ActiveMqInbox inbox = ActiveMqInbox.ofQueue("tcp://127.0.0.1:" + brokerPort, "kept")) {
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(inbox.arrivals().stream().map(Arrival::id))
                            .containsAll(ids));
            assertThat(inbox.arrivals()).allSatisfy(arrival -> assertThat(arrival.arrivedAtMs())
                    .isGreaterThanOrEqualTo(arrival.dueTimeMs()));
        }
        awaitFinished("r0-1");
    }

    @Test
    void aMistypedKeyStopsTheStartWithItsName() {
        assertThat(startFailure("--mykit.delay.http.prot=1"))
                .contains("http.prot")
                .contains("http.port");
        assertThat(startFailure("--mykit.delay.queue.buckets=none"))
                .contains("buckets")
                .contains("none");
    }

    private String startFailure(String argument) {
        var process = io.mykit.delay.test.server.ServerProcess.start(
                "refused",
                dir.resolve("refused"),
                List.of(DelayServer.home().resolve("bin/mykit-delay").toString(), argument),
                Map.of());
        await().atMost(Duration.ofSeconds(20)).until(() -> !process.isAlive());
        return process.log();
    }

    private void awaitFinished(String id) {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(client.job(id).dataObject().getString("statusName"))
                        .isEqualTo("FINISH"));
    }
}
