package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.fault.agent.AgentJar;
import io.mykit.delay.test.fault.agent.Point;
import io.mykit.delay.test.fault.agent.Tripwire.Deed;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.RedisServer;
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

/** Packaged servers of which a thread dies, or whose memory is used up. */
@Tag("long")
class LoopDeathIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** Where the thread of a loop begins. */
    private static final String LOOP = "LoopRunner#runUntilStopped";

    private static final Map<String, String> ALONE =
            Map.of("delivery.default-channel", "console", "activemq.embedded-port", "0");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void aLeaderWhoseLoopDiesGivesItsTermUp() throws IOException {
        try (RedisServer redis = RedisServer.start(dir.resolve("redis"), "")) {
            Map<String, String> settings = Map.of(
                    "mode",
                    "master-standby",
                    "registry.server-list",
                    SharedServers.zooKeeper().connectString(),
                    "datasource.url",
                    SharedServers.mysql().freshDatabase("loop_death"),
                    "datasource.username",
                    "root",
                    "redis.uri",
                    redis.uri(),
                    "delivery.default-channel",
                    "console",
                    "queue.name",
                    "loop-death-" + System.nanoTime());
            try (DelayServer sick = server("sick", settings);
                    DelayServer well = server("well", settings)) {
                sick.begin(agent(LOOP, Deed.THROW, "auditor"));
                sick.awaitReady();
                await().atMost(PATIENCE).until(() -> sick.log().contains("gives up its term"));
                assertThat(sick.log()).contains("the loops [auditor] do not run");
                well.restart();
                await().atMost(PATIENCE).during(Duration.ofSeconds(3)).until(well::isLeader);
                assertThat(sick.isLeader()).isFalse();
                assertThat(sick.client().get("/health/ready").status())
                        .as("it can be a standby, and takes pushes")
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void aNodeWithoutItsIntakeAsksForARestart() throws IOException {
        try (DelayServer server = server("deaf", ALONE)) {
            server.begin(agent(LOOP, Deed.THROW, "intake"));
            DelayClient client = server.client();
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> client.get("/health").status() == 200);
            for (String call : new String[] {"/health/ready", "/health/live"}) {
                Answer answer = client.get(call);
                assertThat(answer.status()).as(call).isEqualTo(503);
                assertThat(answer.text()).as(call).contains("restart this node: loops [intake] do not run");
            }
            JSONObject health = client.health().dataObject();
            assertThat(health.getString("status")).isEqualTo("DEGRADED");
            assertThat(health.getJSONObject("checks")
                            .getJSONObject("loops")
                            .getJSONObject("details")
                            .getJSONObject("intake")
                            .getBoolean("alive"))
                    .isFalse();
        }
    }

    @Test
    void aServerWhoseMemoryIsUsedUpEnds() throws IOException {
        try (DelayServer server = server("full", ALONE)) {
            server.begin(agent("MessageCanceller#cancel", Deed.FILL, ""));
            server.awaitReady();
            try {
                server.client().delete("unknown");
            } catch (RuntimeException noAnswer) {
                assertThat(noAnswer).as("the connection ends with the process").isNotNull();
            }
            assertThat(server.awaitExit(PATIENCE)).hasValue(3);
            assertThat(server.log().lines())
                    .last()
                    .isEqualTo("Terminating due to java.lang.OutOfMemoryError: Java heap space");
            server.restart();
        }
    }

    /** It is not started yet. Its data are its own. */
    private DelayServer server(String name, Map<String, String> settings) throws IOException {
        Path home = Files.createDirectories(dir.resolve(name));
        return DelayServer.prepare(name, home, settings, DelayServer.SHORT_LIVED);
    }

    private String agent(String method, Deed deed, String thread) {
        return "-javaagent:" + AgentJar.write(dir) + "=methods=" + method + ";armed=" + Point.before(method, "")
                + ";deed=" + deed + ";thread=" + thread;
    }
}
