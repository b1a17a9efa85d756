package io.mykit.delay.ingest.kafka;

import io.mykit.delay.kafka.Connection;
import io.mykit.delay.kafka.ConnectionProperties;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The properties of the consumer, and of the producer for rejected records. They hold passwords. Immutable. */
final class IngestProperties {
    private static final int REQUEST_TIMEOUT_MS = 10_000;
    private static final int CALL_TIMEOUT_MS = 15_000;
    private static final int FETCH_BYTES = 8 << 20;
    /** The default of the client library. */
    private static final int MOST_POLLED = 500;
    /** A node that was killed is followed by another one, or by itself, after this time. */
    private static final int SESSION_TIMEOUT_MS = 10_000;
    /** A record that the consumer got fits, with more headers than it had. */
    private static final int REJECTED_BYTES = 64 << 20;

    private final Map<String, Object> consumer;
    private final Connection connection;

    private IngestProperties(Map<String, Object> consumer, Connection connection) {
        this.consumer = Map.copyOf(consumer);
        this.connection = connection;
    }

    /**
     * @param bounds one poll brings at most as many records as may be in flight, so that the ingest alone never fills the intake
     * @throws IllegalArgumentException if a property does not exist or its value cannot be used, or a certificate cannot be read; the
     *     message names the key and no value
     */
    static IngestProperties of(IngestSettings settings, IngestBounds bounds) {
        Map<String, Object> all = defaults();
        all.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, Math.min(MOST_POLLED, bounds.records()));
        ConnectionProperties.add(all, settings.connection(), ConsumerConfig.configNames(), "consumer");
        all.put(ConsumerConfig.GROUP_ID_CONFIG, settings.group());
        try {
            new ConsumerConfig(all);
        } catch (RuntimeException e) {
            throw ConnectionProperties.refused(settings.connection(), e);
        }
        return new IngestProperties(all, settings.connection());
    }

    private static Map<String, Object> defaults() {
        Map<String, Object> all = new HashMap<>();
        all.put(ConsumerConfig.CLIENT_ID_CONFIG, "mykit-delay-ingest");
        all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        all.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName());
        all.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_TIMEOUT_MS);
        all.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS);
        all.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, CALL_TIMEOUT_MS);
        all.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 1000L);
        all.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
        all.put(ConsumerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
        all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        all.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        all.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        all.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        all.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        return all;
    }

    Connection connection() {
        return connection;
    }

    Map<String, Object> consumer() {
        return consumer;
    }

    /** Of the producer for rejected records: brokers, account and TLS are those of the consumer. */
    Map<String, Object> producer() {
        Map<String, Object> own = ConnectionProperties.of(consumer, AdminClientConfig.configNames());
        own.put(ProducerConfig.CLIENT_ID_CONFIG, "mykit-delay-ingest-rejected");
        own.put(ProducerConfig.ACKS_CONFIG, "all");
        own.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        own.put(ProducerConfig.LINGER_MS_CONFIG, 0L);
        own.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS / 2);
        own.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS);
        own.put(
                ProducerConfig.MAX_BLOCK_MS_CONFIG,
                Duration.ofMillis(REQUEST_TIMEOUT_MS / 2).toMillis());
        own.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, REJECTED_BYTES);
        own.put(ProducerConfig.BUFFER_MEMORY_CONFIG, (long) REJECTED_BYTES);
        own.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        own.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        return own;
    }

    /** Whether connections are encrypted. */
    boolean tls() {
        return ConnectionProperties.tls(consumer);
    }

    /** Leaves all values out. */
    @Override
    public String toString() {
        return "IngestProperties[" + connection.section() + "]";
    }
}
