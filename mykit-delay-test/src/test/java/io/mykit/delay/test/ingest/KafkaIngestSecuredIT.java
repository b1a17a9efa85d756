package io.mykit.delay.test.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.KafkaAccess;
import io.mykit.delay.test.server.KafkaServer;
import io.mykit.delay.test.server.TestCertificate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A broker that speaks TLS only, demands an account, and checks its rights. */
@Tag("nightly")
class KafkaIngestSecuredIT {
    private static final String PASSWORD = "s3nder-secret";
    private static final String WRONG = "not-the-secret";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void anAccountThatMayReadAndWriteItsTopicsIsAllThatIsNeeded() {
        KafkaAccess access =
                new KafkaAccess("ingest", PASSWORD, "mykit-delay", TestCertificate.make(dir, "server", "ip:127.0.0.1"));
        try (KafkaServer kafka = KafkaServer.startSecured(dir.resolve("kafka"), access);
                Records records = new Records(kafka)) {
            kafka.createTopic(Records.TOPIC, 1, Map.of());
            kafka.createTopic("mykit-delay-rejected", 1, Map.of());
            Map<String, String> settings = new HashMap<>(Map.of(
                    "ingest.kafka.bootstrap-servers",
                    kafka.address(),
                    "ingest.kafka.rejected-topic",
                    "mykit-delay-rejected",
                    "ingest.kafka.username",
                    access.user(),
                    "ingest.kafka.password",
                    PASSWORD,
                    "ingest.kafka.tls",
                    "true",
                    "ingest.kafka.trust-store",
                    access.certificate().chain().toString(),
                    "delivery.default-channel",
                    "pull"));
            try (DelayServer server = DelayServer.start("server", dir.resolve("server"), settings)) {
                DelayClient client = server.client();
                await().atMost(PATIENCE).until(() -> client.health().toString().contains("Kafka denies permission"));
                kafka.allow(access, "READ");
                records.json(0, "{\"topic\":\"orders\",\"id\":\"secured\"}");
                records.json(0, "no push");
                records.flush();
                assertThat(Pulled.all(client, "orders", 1)).hasSize(1);
                assertThat(records.read("mykit-delay-rejected", 1)).hasSize(1);
                await().atMost(PATIENCE).until(() -> records.committed(0) == 2);
                server.stop();
                assertThat(server.log()).doesNotContain(PASSWORD);
            }
            settings.put("ingest.kafka.password", WRONG);
            try (DelayServer server = DelayServer.start("wrong", dir.resolve("wrong"), settings)) {
                await().atMost(PATIENCE)
                        .until(() -> server.client().health().toString().contains("Kafka refuses the connection"));
                assertThat(server.client().health().toString())
                        .contains("mykit.delay.ingest.kafka.username")
                        .doesNotContain(WRONG);
                server.stop();
                assertThat(server.log()).doesNotContain(WRONG);
            }
            settings.put("ingest.kafka.tls", "false");
            settings.put("ingest.kafka.trust-store", "");
            try (DelayServer server = DelayServer.start("plain", dir.resolve("plain"), settings)) {
                await().atMost(PATIENCE)
                        .until(() -> server.client().health().toString().contains("does not speak Kafka without TLS"));
                assertThat(server.client().health().toString()).contains("mykit.delay.ingest.kafka.tls");
            }
        }
    }
}
