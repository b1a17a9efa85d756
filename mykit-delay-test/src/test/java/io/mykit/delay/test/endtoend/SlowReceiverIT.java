package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.FreePorts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A receiver that is full costs its messages time, and nothing else: no row changes while they wait, and others go on. */
@Tag("long")
class SlowReceiverIT {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int PER_HOST = 4;
    /** What a channel keeps for one host. */
    private static final int MAX_WAITING = 1_000;

    private static final int MANY = 1_500;

    private static final int BATCH = 500;

    private static HeldReceiver slow;
    private static HeldReceiver well;
    private static DelayServer server;
    private static DelayClient client;

    @BeforeAll
    static void start(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path dir) {
        slow = new HeldReceiver();
        well = new HeldReceiver();
        well.release();
        server = DelayServer.start(
                "server",
                dir,
                Map.of(
                        "activemq.embedded-port",
                        Integer.toString(FreePorts.next()),
                        "delivery.topics.w-*",
                        "webhook",
                        "webhook.topics.w-slow.url",
                        slow.url(),
                        "webhook.topics.w-well.url",
                        well.url(),
                        "webhook.targets",
                        "http://127.0.0.0/8",
                        "webhook.per-host",
                        Integer.toString(PER_HOST),
                        "webhook.timeout",
                        "2m"));
        client = server.client();
    }

    @AfterAll
    static void stop() {
        server.close();
        slow.close();
        well.close();
    }

    @Test
    void messagesOfAFullReceiverCostNothing() {
        getKnown(well);
        List<String> targeted = pushAll("targeted", "w-targets", slow.url());
        List<String> own = pushAll("own", "w-slow", null);
        await().atMost(PATIENCE).until(() -> slow.ids().size() == 2 * PER_HOST);
        await().atMost(PATIENCE)
                .until(() -> metric("mykit_delay_attempts_total{channel=\"webhook\",outcome=\"deferred\"") > 0);

        List<String> beside = pushAll("beside", "w-targets", well.url());
        List<String> other = pushAll("other", "w-well", null);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(new HashSet<>(well.ids()))
                .containsAll(beside)
                .containsAll(other));

        assertThat(slow.ids()).hasSize(2 * PER_HOST);
        List<String> waiting = new ArrayList<>(own);
        waiting.addAll(targeted);
        waiting.removeAll(slow.ids());
        assertThat(IntStream.range(0, waiting.size())
                        .filter(i -> i % 25 == 0)
                        .mapToObj(waiting::get)
                        .toList())
                .allSatisfy(id -> assertThat(client.job(id).dataObject().getJSONArray("flow"))
                        .as("only its push")
                        .hasSize(1));
        // Messages that look for a place again may let w-targets rest for some milliseconds.
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(metric("mykit_delay_topics_limited"))
                .as("w-slow")
                .isEqualTo(1));

        slow.release();
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(slow.ids()).containsAll(own));
        // The others come back when their turn is near by the time that the receiver took until now.
        await().atMost(PATIENCE).until(() -> slow.ids().size() >= own.size() + MAX_WAITING + PER_HOST);
        assertThat(slow.ids()).doesNotHaveDuplicates();
    }

    /** Without it, the first answers of a JVM that has just started decide how long messages wait that find no place at once. */
    private static void getKnown(HeldReceiver receiver) {
        List<String> first = IntStream.range(0, 30).mapToObj(i -> "first-" + i).toList();
        first.forEach(id -> {
            Answer answer = client.push(Map.of(
                    "id", id, "topic", "w-targets", "body", "b", "delay", 0, "target", Map.of("url", receiver.url())));
            assertThat(answer.status()).isEqualTo(200);
        });
        await().atMost(PATIENCE).until(() -> receiver.ids().containsAll(first));
    }

    private static double metric(String beginning) {
        return client.metric(beginning);
    }

    /** @param target null = the URL of the topic */
    private static List<String> pushAll(String prefix, String topic, String target) {
        List<Map<String, Object>> messages = IntStream.range(0, MANY)
                .mapToObj(i -> {
                    Map<String, Object> message =
                            new HashMap<>(Map.of("id", prefix + "-" + i, "topic", topic, "body", "b", "delay", 500));
                    if (target != null) {
                        message.put("target", Map.of("url", target));
                    }
                    return message;
                })
                .toList();
        for (int from = 0; from < MANY; from += BATCH) {
            Answer answer = client.pushBatch(messages.subList(from, from + BATCH));
            assertThat(answer.text()).contains("\"success\":true").doesNotContain("\"success\":false");
        }
        return messages.stream().map(message -> message.get("id").toString()).toList();
    }
}
