package io.mykit.delay.test.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.KafkaServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Records of a real broker become messages of a packaged server. */
@Tag("long")
class KafkaIngestIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String REJECTED = "mykit-delay-rejected";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path dir;

    private static KafkaServer kafka;
    private static DelayServer server;
    private static DelayClient client;
    private static Records records;

    @BeforeAll
    static void startServers() {
        kafka = KafkaServer.start(dir.resolve("kafka"), Map.of());
        kafka.createTopic(Records.TOPIC, 2, Map.of());
        kafka.createTopic(REJECTED, 1, Map.of("max.message.bytes", "20000"));
        server = DelayServer.start(
                "server",
                dir.resolve("server"),
                Map.of(
                        "ingest.kafka.bootstrap-servers",
                        kafka.address(),
                        "ingest.kafka.rejected-topic",
                        REJECTED,
                        "http.max-body-size",
                        "50000",
                        "delivery.default-channel",
                        "pull"));
        client = server.client();
        records = new Records(kafka);
    }

    @AfterAll
    static void closeServers() {
        records.close();
        server.close();
        kafka.close();
    }

    @Test
    void jsonAndRawRecordsArePushed() {
        records.json(
                0,
                "{\"topic\":\"orders\",\"body\":\"text\",\"bizKey\":\"c7\",\"headers\":{\"source\":\"shop\"},\"delay\":100}");
        byte[] bytes = {0, -1, 10};
        records.raw(
                1,
                "customer-7",
                bytes,
                Map.of(
                        "mykit-topic",
                        "orders",
                        "mykit-delay",
                        "100",
                        "mykit-id",
                        "raw-1",
                        "mykit-subtopic",
                        "unpaid",
                        "source",
                        "shop"));
        records.flush();
        Map<String, JSONObject> arrived = new HashMap<>();
        Pulled.all(client, "orders", 2).forEach(message -> arrived.put(message.getString("id"), message));
        assertThat(arrived).hasSize(2);
        JSONObject raw = arrived.remove("raw-1");
        assertThat(Base64.getDecoder().decode(raw.getString("bodyBase64"))).isEqualTo(bytes);
        assertThat(raw.getString("bizKey")).isEqualTo("customer-7");
        assertThat(raw.getString("subtopic")).isEqualTo("unpaid");
        assertThat(raw.getJSONObject("headers")).containsEntry("source", "shop");
        assertThat(raw.getLongValue("dueTime")).isEqualTo(raw.getLongValue("createTime") + 100);
        arrived.forEach((id, json) -> {
            assertThat(id).startsWith("k:" + Records.TOPIC + ":0:");
            assertThat(json.getString("body")).isEqualTo("text");
            assertThat(json.getString("bizKey")).isEqualTo("c7");
        });
        assertThat(client.metric("mykit_delay_messages_accepted_total{via=\"kafka\"}"))
                .isGreaterThanOrEqualTo(2);
        assertThat(client.health().json().getJSONObject("data").toString()).contains("ingest-kafka");
        assertThat(server.log()).contains("ingest    Kafka " + kafka.address() + ", topic " + Records.TOPIC);
    }

    @Test
    void eachKindOfBadRecordIsSetAsideWithItsReasonAndItsPartitionGoesOn() {
        Map<String, Runnable> bad = new LinkedHashMap<>();
        bad.put("malformed JSON", () -> records.json(0, "{\"topic\":"));
        bad.put("topic is required", () -> records.json(0, "{}"));
        bad.put("unknown field dealy; did you mean delay?", () -> records.json(0, "{\"topic\":\"good\",\"dealy\":1}"));
        bad.put("header mykit-delay must be an integer", () -> raw("mykit-delay", "soon"));
        bad.put("unknown header mykit-dew", () -> raw("mykit-dew", "1"));
        bad.put("the record has no value", () -> records.raw(0, "k", null, Map.of("mykit-topic", "good")));
        bad.put("the key is not UTF-8", () -> {
            var unused = records.producer()
                    .send(new ProducerRecord<>(
                            Records.TOPIC, 0, new byte[] {-1}, new byte[1], List.of(header("mykit-topic", "good"))));
        });
        bad.put(
                "larger than 50000 bytes",
                () -> records.raw(0, "large", new byte[60_000], Map.of("mykit-topic", "good")));
        bad.put("exists with other content", () -> {
            records.json(0, "{\"topic\":\"taken\",\"id\":\"same\",\"body\":\"one\",\"delay\":\"1h\"}");
            records.json(0, "{\"topic\":\"taken\",\"id\":\"same\",\"body\":\"two\",\"delay\":\"1h\"}");
        });
        bad.values().forEach(send -> {
            send.run();
            records.json(0, "{\"topic\":\"good\",\"body\":\"after\"}");
        });
        records.flush();
        assertThat(Pulled.all(client, "good", bad.size())).hasSize(bad.size());

        List<ConsumerRecord<byte[], byte[]>> rejected = records.read(REJECTED, bad.size());
        assertThat(rejected).hasSize(bad.size());
        assertThat(rejected.stream()
                        .map(record -> header(record, "mykit-reason"))
                        .toList())
                .allSatisfy(
                        reason -> assertThat(reason).containsAnyOf(bad.keySet().toArray(String[]::new)))
                .doesNotHaveDuplicates();
        assertThat(rejected).allSatisfy(record -> {
            assertThat(header(record, "mykit-error")).isIn("INVALID_REQUEST", "TOO_LARGE", "ID_CONFLICT");
            assertThat(header(record, "mykit-origin-topic")).isEqualTo(Records.TOPIC);
            assertThat(header(record, "mykit-origin-partition")).isEqualTo("0");
            assertThat(Long.parseLong(header(record, "mykit-origin-offset"))).isNotNegative();
        });
        assertThat(rejected.stream()
                        .filter(record -> header(record, "mykit-error").equals("ID_CONFLICT")))
                .singleElement()
                .satisfies(
                        record -> assertThat(new String(record.value(), UTF_8)).contains("two"));
        // The value does not fit into the topic for rejected records, and the partition goes on all the same.
        assertThat(rejected.stream()
                        .filter(record -> header(record, "mykit-error").equals("TOO_LARGE")))
                .singleElement()
                .satisfies(record -> {
                    assertThat(record.value()).isNull();
                    assertThat(new String(record.key(), UTF_8)).isEqualTo("large");
                });
        assertThat(client.metric("mykit_delay_ingest_rejected_total{reason=\"invalid_request\"}"))
                .isGreaterThanOrEqualTo(7);
        assertThat(server.log()).contains("set aside on " + REJECTED).doesNotContain("{\"topic\":\"taken\"");
    }

    @Test
    void abortedRecordsOfATransactionAreNeverPushed() {
        try (Records transactional = new Records(kafka, Map.of("transactional.id", "shop"))) {
            KafkaProducer<byte[], byte[]> producer = transactional.producer();
            producer.initTransactions();
            producer.beginTransaction();
            transactional.json(1, "{\"topic\":\"paid\",\"id\":\"aborted\"}");
            producer.flush();
            producer.abortTransaction();
            producer.beginTransaction();
            transactional.json(1, "{\"topic\":\"paid\",\"id\":\"committed\"}");
            producer.commitTransaction();
        }
        assertThat(Pulled.all(client, "paid", 1))
                .extracting(message -> message.getString("id"))
                .containsExactly("committed");
        assertThat(client.job("aborted").status()).isEqualTo(404);
    }

    @Test
    void offsetsFollowAndTheLagEnds() {
        for (int i = 0; i < 2000; i++) {
            records.json(i % 2, "{\"topic\":\"many\",\"body\":\"" + i + "\",\"delay\":\"1h\"}");
        }
        records.flush();
        await().atMost(PATIENCE).until(() -> client.metric("mykit_delay_ingest_lag") == 0);
        await().atMost(PATIENCE).until(() -> records.committed(0) + records.committed(1) >= 2000);
        await().atMost(PATIENCE).until(() -> client.metric("mykit_delay_ingest_pending_bytes") == 0);
        assertThat(client.metric("mykit_delay_ingest_paused")).isZero();
    }

    private static void raw(String header, String value) {
        records.raw(0, null, new byte[1], Map.of("mykit-topic", "good", header, value));
    }

    private static Header header(String name, String value) {
        return new RecordHeader(name, value.getBytes(UTF_8));
    }

    private static String header(ConsumerRecord<?, ?> record, String name) {
        return new String(record.headers().lastHeader(name).value(), UTF_8);
    }
}
