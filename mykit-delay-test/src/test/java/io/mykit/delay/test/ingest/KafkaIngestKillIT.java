package io.mykit.delay.test.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.KafkaServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A server that is killed: each record is one message, whatever was committed where. */
@Tag("long")
class KafkaIngestKillIT {
    private static final int PARTITIONS = 3;
    private static final int BEFORE = 2_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    /**
     * The kill comes while messages are committed many times between two commits of offsets. Then the group is moved back to its begin as
     * well, as if the server had died between each commit of the database and that of its offset.
     */
    @Test
    void aKilledServerReadsRecordsAgainAndMakesNoSecondMessage() {
        try (KafkaServer kafka = KafkaServer.start(dir.resolve("kafka"), Map.of())) {
            kafka.createTopic(Records.TOPIC, PARTITIONS, Map.of());
            try (DelayServer server = DelayServer.start(
                            "killed",
                            dir.resolve("server"),
                            Map.of(
                                    "ingest.kafka.bootstrap-servers", kafka.address(),
                                    "ingest.kafka.properties.session.timeout.ms", "6000",
                                    "delivery.default-channel", "pull"));
                    Records records = new Records(kafka)) {
                DelayClient client = server.client();
                AtomicBoolean enough = new AtomicBoolean();
                Thread producer = new Thread(() -> produce(records, enough), "producer");
                producer.start();
                await().atMost(PATIENCE)
                        .pollInterval(Duration.ofMillis(5))
                        .until(() -> client.metric("mykit_delay_ingest_records_total") >= BEFORE);
                server.kill();
                enough.set(true);
                int sent = joined(producer, records);

                await().atMost(PATIENCE).until(() -> records.shares().isEmpty());
                records.forgetOffsets(PARTITIONS);
                server.restart();
                await().atMost(PATIENCE).until(() -> committed(records) == sent);

                List<JSONObject> pulled = Pulled.all(client, "orders", sent);
                assertThat(pulled.stream().map(message -> message.getString("id")))
                        .doesNotHaveDuplicates();
                assertThat(pulled.stream().map(message -> message.getString("body")))
                        .doesNotHaveDuplicates()
                        .hasSize(sent);
                // Those that the killed process stored were repeats.
                assertThat(client.metric("mykit_delay_messages_accepted_total{via=\"kafka\"}"))
                        .isLessThanOrEqualTo(sent - BEFORE);
                assertThat(client.metric("mykit_delay_ingest_records_total")).isGreaterThanOrEqualTo(sent);
                // A stop in good order leaves nothing to read again, and no member.
                assertThat(server.stop()).isZero();
                assertThat(records.shares()).isEmpty();
                assertThat(server.log()).doesNotContain("\tat ");
            }
        }
    }

    private static void produce(Records records, AtomicBoolean enough) {
        for (int i = 0; !enough.get() && i < 12_000; i++) {
            records.json(i % PARTITIONS, "{\"topic\":\"orders\",\"body\":\"" + i + "\"}");
            if (i % 500 == 0) {
                records.flush();
            }
        }
        records.flush();
    }

    private static int joined(Thread producer, Records records) {
        try {
            producer.join(PATIENCE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return records.sent();
    }

    private static long committed(Records records) {
        long all = 0;
        for (int i = 0; i < PARTITIONS; i++) {
            all += records.committed(i);
        }
        return all;
    }
}
