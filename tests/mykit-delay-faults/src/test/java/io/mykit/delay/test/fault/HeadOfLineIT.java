package io.mykit.delay.test.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.delivery.ActiveMqInbox;
import io.mykit.delay.test.server.ActiveMqServer;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.FreePorts;
import io.mykit.delay.test.server.MySqlServer;
import io.mykit.delay.test.server.SharedServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Poisoned messages, a topic that the broker refuses, and a dead broker, all ahead of other messages. */
@Tag("long")
class HeadOfLineIT {
    private static final Logger LOG = LoggerFactory.getLogger(HeadOfLineIT.class);
    private static final int POISONED = 10;
    private static final int HEALTHY = 300;
    private static final int EVERY_MS = 20;
    private static final int WARM_UP = 100;
    /** Below the send timeout (10 s) for which each attempt at the dead broker may last; a slow machine is later than a fast one. */
    private static final long LATE_MS = 5_000;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void otherTopicsAreNoLaterForIt() {
        String topic = "line-" + System.nanoTime();
        try (ActiveMqServer broker = ActiveMqServer.start(dir.resolve("activemq"), "", "line", "secret");
                DelayServer server = DelayServer.start("server", dir, settings(broker, topic));
                ActiveMqInbox inbox = ActiveMqInbox.ofQueue(broker.url(), topic, "line", "secret");
                ActiveMqInbox ofPoisoned = ActiveMqInbox.ofQueue(broker.url(), "with-poison", "line", "secret")) {
            accepted(server.client()
                    .pushBatch(IntStream.range(0, WARM_UP)
                            .mapToObj(i -> message("warm-up-" + i, topic, (long) i * EVERY_MS))
                            .toList()));
            inbox.awaitExactly(WARM_UP, Duration.ofSeconds(30));
            // One bucket only: everything stands in the same line.
            List<Map<String, Object>> bad = new ArrayList<>();
            for (int i = 0; i < POISONED; i++) {
                bad.add(message("poison-" + i, "with-poison", 1000));
                bad.add(message("refused-" + i, "closed.topic", 1000));
                bad.add(message("dead-" + i, "dead-broker", 1000));
            }
            bad.add(message("behind-poison", "with-poison", 1001));
            accepted(server.client().pushBatch(bad));
            accepted(server.client()
                    .pushBatch(IntStream.range(0, HEALTHY)
                            .mapToObj(i -> message("healthy-" + i, topic, 1000 + (long) i * EVERY_MS))
                            .toList()));

            List<Arrival> arrivals = inbox.awaitExactly(WARM_UP + HEALTHY, Duration.ofSeconds(30));
            long[] lateMs = arrivals.stream()
                    .filter(arrival -> arrival.id().startsWith("healthy-"))
                    .mapToLong(arrival -> arrival.arrivedAtMs() - arrival.dueTimeMs())
                    .sorted()
                    .toArray();
            // A pause of the machine may delay one of them; a blocked topic would delay most.
            long p95 = lateMs[HEALTHY * 95 / 100];
            LOG.info("p95 {} ms late, max {} ms", p95, lateMs[HEALTHY - 1]);
            assertThat(p95).isLessThan(LATE_MS);
            assertThat(lateMs[0]).isNotNegative();
            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(ofPoisoned.arrivals())
                    .extracting(Arrival::id)
                    .containsExactly("behind-poison"));
            for (String kind : List.of("poison-", "refused-", "dead-")) {
                assertThat(server.client().job(kind + 0).dataObject().getString("statusName"))
                        .as(kind)
                        .isNotEqualTo("FINISH");
            }
        }
    }

    private static Map<String, String> settings(ActiveMqServer broker, String name) {
        return Map.ofEntries(
                Map.entry("mode", "standalone"),
                Map.entry("queue.name", name),
                Map.entry("queue.buckets", "1"),
                Map.entry("redis.uri", SharedServers.redis().uri()),
                Map.entry("datasource.url", SharedServers.mysql().freshDatabase("head_of_line")),
                Map.entry("datasource.username", MySqlServer.USER),
                Map.entry("activemq.broker-url", broker.url()),
                Map.entry("activemq.username", "line"),
                Map.entry("activemq.password", "secret"),
                Map.entry("delivery.send-timeout", "10s"),
                Map.entry("delivery.topics.dead-broker", "rocketmq"),
                Map.entry("rocketmq.namesrv-addr", "127.0.0.1:" + FreePorts.next()));
    }

    private static Map<String, Object> message(String id, String topic, long delayMs) {
        return Map.of("id", id, "topic", topic, "delay", delayMs, "body", "body");
    }

    private static void accepted(Answer answer) {
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().getJSONArray("data").toString()).doesNotContain("\"success\":false");
    }
}
