package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.server.DelayServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A single server that is told to stop while callbacks are under way, on its embedded default. */
@Tag("long")
class StopIT {
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final List<String> IDS =
            IntStream.range(0, 5).mapToObj(i -> "slow" + i).toList();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    /** With the default of webhook.timeout, 15 s, and of stop.timeout. */
    @Test
    void callbacksUnderWayAreFinishedAndArriveOnce() {
        try (SlowReceiver receiver = new SlowReceiver(Duration.ofSeconds(11));
                DelayServer server = start(receiver)) {
            pushSlow(server.client(), receiver);
            server.terminate();
            JSONObject waits = await().atMost(PATIENCE).until(() -> waits(server), some -> !some.isEmpty());
            assertThat(waits).containsEntry("messages", IDS.size());
            assertThat(waits.getLongValue("atMostMs")).isBetween(11_000L, 20_000L);
            assertThat(push(server.client(), "accepted", 0))
                    .as("requests are served")
                    .isEqualTo(200);
            assertThat(server.awaitExit(PATIENCE)).as("exit code").hasValue(0);
            assertThat(server.log()).contains("5 messages are being sent at the end of the term");
            server.restart();
            for (String id : IDS) {
                assertThat(status(server.client(), id)).as(id).isEqualTo("FINISH");
            }
            await().atMost(PATIENCE).until(() -> receiver.counts("/slow").containsKey("accepted"));
            assertThat(receiver.counts("/slow").values())
                    .as("no second arrival")
                    .containsOnly(1L);
        }
    }

    @Test
    void aSecondSignalEndsTheWait() {
        try (SlowReceiver receiver = new SlowReceiver(Duration.ofSeconds(13));
                DelayServer server = start(receiver)) {
            pushSlow(server.client(), receiver);
            server.terminate();
            await().atMost(PATIENCE).until(() -> waits(server), some -> !some.isEmpty());
            long begin = System.nanoTime();
            assertThat(server.stop()).isZero();
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(8));
            assertThat(server.log()).contains("Gives up the wait for the outcomes of 5 messages");
        }
    }

    private DelayServer start(SlowReceiver receiver) {
        return DelayServer.start(
                "server", dir, Map.of("delivery.default-channel", "webhook", "webhook.url", receiver.url("/slow")));
    }

    private static void pushSlow(DelayClient client, SlowReceiver receiver) {
        IDS.forEach(id -> assertThat(push(client, id, 0)).isEqualTo(200));
        await().atMost(PATIENCE).until(() -> receiver.counts("/slow").size() == IDS.size());
    }

    private static int push(DelayClient client, String id, long delayMs) {
        return client.push(Map.of("topic", "t", "id", id, "body", "x", "delay", delayMs))
                .status();
    }

    private static JSONObject waits(DelayServer server) {
        return server.client()
                .health()
                .dataObject()
                .getJSONObject("checks")
                .getJSONObject("lastDeliveries")
                .getJSONObject("details");
    }

    private static String status(DelayClient client, String id) {
        return client.job(id).dataObject().getString("statusName");
    }
}
