package io.mykit.delay.test.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.client.CancelResult;
import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.kafka.DelayInterceptor;
import io.mykit.delay.client.kafka.Delayed;
import io.mykit.delay.test.docs.Page;
import io.mykit.delay.test.example.OrderReminders;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.KafkaServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Producers of a Kafka broker with a packaged server: directly, and with the interceptor. */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KafkaProducerIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration DELAY = Duration.ofMillis(300);
    private static final int MIB = 1 << 20;
    private static final int PARTITIONS = 3;
    private static final String REJECTED = "mykit-delay-rejected";
    /** The channel of the server adds them. */
    private static final Set<String> ADDED = Set.of("id", "subtopic", "bizKey", "dueTime", "createTime", "attempt");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private static Path dir;

    private KafkaServer kafka;
    private DelayServer server;
    private KafkaProducer<byte[], byte[]> producer;
    private int topics;

    /**
     * What a consumer sees of a record.
     *
     * @param partition -1 = no key decides it
     */
    private record Seen(String key, int value, int length, List<String> headers, int partition) {
        static Seen of(ConsumerRecord<byte[], byte[]> record) {
            List<String> headers = new ArrayList<>();
            record.headers().forEach(header -> {
                if (!ADDED.contains(header.key())) {
                    headers.add(header.key() + "=" + new String(header.value(), UTF_8));
                }
            });
            headers.sort(null);
            return new Seen(
                    record.key() == null ? null : new String(record.key(), UTF_8),
                    Arrays.hashCode(record.value()),
                    record.value().length,
                    headers,
                    record.key() == null ? -1 : record.partition());
        }
    }

    @BeforeAll
    void startServers() {
        kafka = KafkaServer.start(dir.resolve("kafka"), Map.of("message.max.bytes", Integer.toString(4 * MIB)));
        kafka.createTopic(DelayInterceptor.DEFAULT_TOPIC, 2, Map.of());
        kafka.createTopic(REJECTED, 1, Map.of());
        kafka.createTopic("orders", PARTITIONS, Map.of());
        server = DelayServer.start(
                "server",
                dir.resolve("server"),
                Map.of(
                        "delivery.default-channel", "kafka",
                        "kafka.bootstrap-servers", kafka.address(),
                        "kafka.properties.max.request.size", Integer.toString(4 * MIB),
                        "ingest.kafka.bootstrap-servers", kafka.address(),
                        "ingest.kafka.rejected-topic", REJECTED,
                        "http.max-body-size", Integer.toString(4 * MIB)));
        producer = new KafkaProducer<>(settings());
    }

    @AfterAll
    void stopServers() {
        producer.close();
        server.close();
        kafka.close();
    }

    private Map<String, Object> settings() {
        Map<String, Object> settings = new HashMap<>();
        settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.address());
        settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 4 * MIB);
        settings.put(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG, DelayInterceptor.class.getName());
        return settings;
    }

    @Test
    void consumersSeeTheSameRecordsAndNotBeforeTheirTime() throws Exception {
        String direct = topic();
        String delayed = topic();
        List<ProducerRecord<byte[], byte[]>> records = records(direct);
        for (ProducerRecord<byte[], byte[]> record : records) {
            producer.send(record).get();
        }
        long sentMs = System.currentTimeMillis();
        for (ProducerRecord<byte[], byte[]> record : records(delayed)) {
            assertThat(producer.send(Delayed.delay(record, DELAY)).get().topic())
                    .isEqualTo(DelayInterceptor.DEFAULT_TOPIC);
        }
        List<ConsumerRecord<byte[], byte[]>> arrived = read(delayed, records.size());
        assertThat(arrived.stream().map(Seen::of))
                .containsExactlyInAnyOrderElementsOf(
                        read(direct, records.size()).stream().map(Seen::of).toList());
        assertThat(arrived)
                .allSatisfy(record -> assertThat(record.timestamp()).isGreaterThanOrEqualTo(sentMs + DELAY.toMillis()));
    }

    private static List<ProducerRecord<byte[], byte[]>> records(String topic) {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        records.add(new ProducerRecord<>(topic, "text".getBytes(UTF_8)));
        records.add(new ProducerRecord<>(topic, "empty".getBytes(UTF_8), new byte[0]));
        for (int i = 0; i < 20; i++) {
            records.add(new ProducerRecord<>(topic, ("customer-" + i).getBytes(UTF_8), ("n " + i).getBytes(UTF_8)));
        }
        records.add(new ProducerRecord<>(topic, "\u8a02\u55ae".getBytes(UTF_8), new byte[] {0, -1, 127, -128, 10}));
        byte[] large = new byte[MIB];
        Arrays.fill(large, (byte) 0xC3);
        records.add(new ProducerRecord<>(topic, "large".getBytes(UTF_8), large));
        ProducerRecord<byte[], byte[]> headers = new ProducerRecord<>(topic, "headers".getBytes(UTF_8), new byte[] {1});
        headers.headers()
                .add("Trace-Id", "1".getBytes(UTF_8))
                .add("host", "h".getBytes(UTF_8))
                .add("__TypeId__", "org.example.Order".getBytes(UTF_8))
                .add("empty", new byte[0])
                .add("\u4e2d", "\u6587\n".getBytes(UTF_8));
        records.add(headers);
        // An event of long ago. A delay counts from the send all the same.
        records.add(new ProducerRecord<>(topic, null, 1_000L, "old".getBytes(UTF_8), "event".getBytes(UTF_8)));
        return records;
    }

    @Test
    void aRecordHasADueTimeAndAnId() throws Exception {
        String topic = topic();
        String id = "record-" + topic;
        Instant due = Instant.ofEpochMilli(System.currentTimeMillis() + 3_600_000);
        producer.send(Delayed.id(Delayed.at(new ProducerRecord<>(topic, new byte[] {1}), due), id))
                .get();
        DelayClient client = DelayClient.builder().endpoint(server.url()).build();
        Awaitility.await().atMost(PATIENCE).until(() -> client.find(id).isPresent());
        assertThat(client.find(id).orElseThrow().dueTime()).isEqualTo(due);
        assertThat(client.cancel(id)).isEqualTo(CancelResult.CANCELLED);
    }

    @Test
    void aTransactionOfKafkaIsKept() {
        String topic = topic();
        Map<String, Object> settings = settings();
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "orders");
        try (KafkaProducer<byte[], byte[]> transactional = new KafkaProducer<>(settings)) {
            transactional.initTransactions();
            transactional.beginTransaction();
            var unused = transactional.send(Delayed.delay(record(topic, "aborted"), DELAY));
            transactional.abortTransaction();
            transactional.beginTransaction();
            unused = transactional.send(record(topic, "at once"));
            unused = transactional.send(Delayed.delay(record(topic, "delayed"), DELAY));
            transactional.commitTransaction();
        }
        assertThat(read(topic, 2).stream().map(record -> new String(record.value(), UTF_8)))
                .containsExactlyInAnyOrder("at once", "delayed");
    }

    /** None of them may reach its topic, which would be early. The last record shows that all of them were read. */
    @Test
    void whatCannotBeReadOrKeptIsRejectedByNameAndNeverSentEarly() throws Exception {
        String topic = topic();
        Map<String, ProducerRecord<byte[], byte[]>> bad = new LinkedHashMap<>();
        bad.put("header mykit-delay must be an integer", marked(topic, "mykit-delay", "soon"));
        bad.put("mykit-due", marked(topic, "mykit-due", "x"));
        bad.put("unknown header mykit-dely", marked(topic, "mykit-dely", "1000"));
        bad.put("exclude", marked(marked(topic, "mykit-delay", "1000"), "mykit-due", "1900000000000"));
        bad.put("mykit-delay", marked(marked(topic, "MYKIT-DELAY", "1000"), "mykit-delay", "1000"));
        bad.put(
                "unknown header mykit-partition",
                marked(new ProducerRecord<>(topic, 1, null, new byte[1]), "mykit-delay", "1"));
        bad.put("the record has no value", marked(new ProducerRecord<>(topic, null), "mykit-delay", "1"));
        bad.put("mykit-topic", marked(marked(topic, "mykit-delay", "1"), "mykit-topic", "other"));
        for (ProducerRecord<byte[], byte[]> record : bad.values()) {
            producer.send(record).get();
        }
        List<ConsumerRecord<byte[], byte[]>> rejected = read(REJECTED, bad.size());
        List<String> reasons = rejected.stream()
                .map(record ->
                        new String(record.headers().lastHeader("mykit-reason").value(), UTF_8))
                .toList();
        assertThat(bad.keySet()).allSatisfy(reason -> assertThat(reasons)
                .anySatisfy(given -> assertThat(given).contains(reason)));
        assertThat(reasons).hasSize(bad.size());

        producer.send(new ProducerRecord<>(topic, "last".getBytes(UTF_8))).get();
        assertThat(read(topic, 1).stream().map(record -> new String(record.value(), UTF_8)))
                .containsExactly("last");
    }

    private static ProducerRecord<byte[], byte[]> marked(String topic, String name, String value) {
        return marked(new ProducerRecord<>(topic, new byte[] {1}), name, value);
    }

    private static ProducerRecord<byte[], byte[]> record(String topic, String text) {
        return new ProducerRecord<>(topic, text.getBytes(UTF_8));
    }

    private static ProducerRecord<byte[], byte[]> marked(
            ProducerRecord<byte[], byte[]> record, String name, String value) {
        record.headers().add(name, value.getBytes(UTF_8));
        return record;
    }

    @Test
    void theExampleOfThePageRuns() throws Exception {
        String program = Files.readString(Path.of(System.getProperty("mykit.delay.repo", ".."))
                        .resolve("mykit-delay-test/src/test/java/io/mykit/delay/test/example/OrderReminders.java"))
                .replaceFirst("package .*;\n\n", "");
        for (String page : List.of("docs/kafka.md", "docs/kafka.zh-CN.md")) {
            assertThat(Page.of(page).blocks()).as(page).contains(program);
        }
        OrderReminders.main(new String[] {kafka.address()});
        ConsumerRecord<byte[], byte[]> record = read("orders", 1).get(0);
        assertThat(new String(record.value(), UTF_8)).isEqualTo("order 4711 was not paid");
        assertThat(new String(record.key(), UTF_8)).isEqualTo("customer-7");
    }

    private String topic() {
        String topic = "records-" + ++topics;
        kafka.createTopic(topic, PARTITIONS, Map.of());
        return topic;
    }

    /** The records of a topic, at least so many. */
    private List<ConsumerRecord<byte[], byte[]>> read(String topic, int count) {
        Map<String, Object> settings = new TreeMap<>();
        settings.put("bootstrap.servers", kafka.address());
        settings.put("isolation.level", "read_committed");
        settings.put("auto.offset.reset", "earliest");
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(consumer.partitionsFor(topic).stream()
                    .map(part -> new TopicPartition(topic, part.partition()))
                    .toList());
            Awaitility.await().atMost(PATIENCE).until(() -> {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
                return records.size() >= count;
            });
            return records;
        }
    }
}
