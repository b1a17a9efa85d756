package io.mykit.delay.test.bench.rig;

import io.mykit.delay.test.server.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes pushes to the topic that a server reads. All of one call are a transaction: the server sees the first one when the last one is
 * written, so producer and server do not share the processors. Not thread-safe.
 */
public final class KafkaPushes implements AutoCloseable {
    private static final String TOPIC = "mykit-delay-push";
    private static final int PARTITIONS = 8;

    private final KafkaServer kafka;
    private final KafkaProducer<byte[], byte[]> producer;

    public KafkaPushes(KafkaServer kafka) {
        this.kafka = kafka;
        kafka.createTopic(TOPIC, PARTITIONS, Map.of());
        producer = new KafkaProducer<>(
                new HashMap<>(Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        kafka.address(),
                        ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                        "bench",
                        ProducerConfig.LINGER_MS_CONFIG,
                        5)),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        producer.initTransactions();
    }

    /** Of a server that reads the topic. */
    public Map<String, String> settings() {
        return Map.of("ingest.kafka.bootstrap-servers", kafka.address());
    }

    /** @param message as JSON */
    public void write(long count, String message) {
        byte[] value = message.getBytes(StandardCharsets.US_ASCII);
        producer.beginTransaction();
        for (long i = 0; i < count; i++) {
            var unused = producer.send(new ProducerRecord<>(TOPIC, (int) (i % PARTITIONS), null, value));
        }
        producer.commitTransaction();
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(5));
    }
}
