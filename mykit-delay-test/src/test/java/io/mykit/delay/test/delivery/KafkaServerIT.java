package io.mykit.delay.test.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.KafkaServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A packaged server that delivers to a Kafka broker. */
@Tag("long")
class KafkaServerIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** More than the channel has threads. */
    private static final int MISSING = 40;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private static Path dir;

    private static KafkaServer kafka;
    private static DelayServer server;

    @BeforeAll
    static void startServers() {
        kafka = KafkaServer.start(dir.resolve("kafka"), Map.of());
        kafka.createTopic("orders", 3, Map.of());
        server = DelayServer.start(
                "server",
                dir.resolve("server"),
                Map.of(
                        "delivery.default-channel", "kafka",
                        "delivery.send-timeout", "10s",
                        // Topics that are made are looked at soon, however long the test took to make them.
                        "delivery.retry-max", "5s",
                        "kafka.bootstrap-servers", kafka.address(),
                        "http.max-body-size", "3000000",
                        "redis.uri", "embedded",
                        "datasource.url", "embedded"));
    }

    @AfterAll
    static void closeServers() {
        server.close();
        kafka.close();
    }

    @Test
    void aPushedMessageArrivesWithKeyAndHeaders() {
        try (Inbox inbox = new KafkaInbox(kafka.address(), "orders")) {
            Answer answer = server.client()
                    .push(Map.of(
                            "topic", "orders",
                            "id", "order-1",
                            "bizKey", "customer-7",
                            "subtopic", "unpaid",
                            "body", "not paid",
                            "headers", Map.of("source", "shop"),
                            "delay", 500));
            assertThat(answer.status()).isEqualTo(200);
            Arrival arrival = inbox.await(1, PATIENCE).get(0);
            assertThat(arrival.id()).isEqualTo("order-1");
            assertThat(arrival.body()).isEqualTo("not paid");
            assertThat(arrival.subtopic()).isEqualTo("unpaid");
            assertThat(arrival.arrivedAtMs()).isGreaterThanOrEqualTo(arrival.dueTimeMs());
            assertThat(arrival.properties())
                    .containsEntry(KafkaInbox.KEY, "customer-7")
                    .containsEntry("source", "shop")
                    .containsEntry("attempt", "1");
        }
        await().atMost(PATIENCE)
                .until(() -> server.client().job("order-1").toString().contains("FINISH"));
        assertThat(server.client().health().toString()).contains("bootstrapServers");
    }

    @Test
    void aPushThatKafkaCouldNeverTakeIsRefused() {
        DelayClient client = server.client();
        assertThat(client.push(Map.of("topic", "a b", "body", "x", "delay", 1)).toString())
                .contains("Kafka topics are 1 to 249");
        assertThat(client.push(Map.of("topic", "orders", "body", "x".repeat(1 << 20), "delay", 1))
                        .toString())
                .contains("mykit.delay.kafka.properties.max.request.size");
        assertThat(client.push(Map.of("topic", "orders", "body", "x", "headers", Map.of("attempt", "9"), "delay", 1))
                        .toString())
                .contains("headers.attempt is reserved");
    }

    @Test
    void topicsThatAreMissingHoldUpNoOtherAndGoOutWhenTheyAreMade() {
        kafka.createTopic("quick", 1, Map.of());
        DelayClient client = server.client();
        for (int i = 0; i < MISSING; i++) {
            client.push(Map.of("topic", "missing-" + i, "body", "m", "delay", 1));
        }
        await().atMost(PATIENCE).until(() -> backingOff() == MISSING);
        assertThat(server.log()).contains("Kafka has no topic missing-");
        try (Inbox quick = new KafkaInbox(kafka.address(), "quick")) {
            List<Map<String, Object>> batch = IntStream.range(0, 200)
                    .mapToObj(i -> Map.<String, Object>of("topic", "quick", "body", "q" + i, "delay", 1000))
                    .toList();
            client.pushBatch(batch);
            List<Arrival> arrivals = quick.await(200, PATIENCE);
            // A single blocked send would take ten seconds.
            assertThat(arrivals).allSatisfy(arrival -> assertThat(arrival.arrivedAtMs() - arrival.dueTimeMs())
                    .isLessThan(8_000));
        }
        assertThat(kafka.topics()).noneMatch(topic -> topic.startsWith("missing"));

        kafka.createTopic("missing-7", 1, Map.of());
        try (Inbox late = new KafkaInbox(kafka.address(), "missing-7")) {
            late.awaitExactly(1, PATIENCE);
        }
    }

    private static double backingOff() {
        return server.client().metric("mykit_delay_topics_backing_off");
    }
}
