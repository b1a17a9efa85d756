package io.mykit.delay.channel.kafka;

import io.mykit.delay.kafka.ConnectionProperties;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The properties of the producer and of its admin client. They hold passwords. Immutable. */
final class ClientProperties {
    /** A full batch of 200 small messages is one batch of records. */
    private static final int BATCH_BYTES = 64 * 1024;

    private final Map<String, Object> producer;
    private final String bootstrapServers;
    private final String section;
    private final long maxRecordBytes;

    private ClientProperties(
            Map<String, Object> producer, String bootstrapServers, String section, long maxRecordBytes) {
        this.producer = Map.copyOf(producer);
        this.bootstrapServers = bootstrapServers;
        this.section = section;
        this.maxRecordBytes = maxRecordBytes;
    }

    /**
     * @throws IllegalArgumentException if a property does not exist or its value cannot be used, or a certificate cannot be read; the
     *     message names the key and no value
     */
    static ClientProperties of(KafkaSettings settings) {
        Map<String, Object> all = defaults(settings.sendTimeout());
        ConnectionProperties.add(all, settings.connection(), ProducerConfig.configNames(), "producer");
        String servers = settings.connection().bootstrapServers().orElseThrow();
        return new ClientProperties(all, servers, settings.connection().section(), maxRecordBytes(all, settings));
    }

    /** Those that a user may change, and those that {@link PropertyRules} keeps. */
    private static Map<String, Object> defaults(Duration sendTimeout) {
        int timeoutMs = Math.toIntExact(sendTimeout.toMillis());
        Map<String, Object> all = new HashMap<>();
        all.put(ProducerConfig.CLIENT_ID_CONFIG, "mykit-delay");
        all.put(ProducerConfig.LINGER_MS_CONFIG, 0L);
        all.put(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
        // A request without an answer leaves time for a second one. The broker sees by its sequence that it is the
        // same.
        all.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.max(1, timeoutMs / 2));
        all.put(ProducerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, (long) Math.max(1, timeoutMs / 2));
        all.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 1000L);
        all.put(ProducerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
        all.put(ProducerConfig.ACKS_CONFIG, "all");
        all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, timeoutMs);
        all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 0L);
        all.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        all.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        return all;
    }

    /** Checks the values as the producer will. */
    private static long maxRecordBytes(Map<String, Object> all, KafkaSettings settings) {
        ProducerConfig checked;
        try {
            checked = new ProducerConfig(all);
        } catch (RuntimeException e) {
            throw ConnectionProperties.refused(settings.connection(), e);
        }
        long waitMs = checked.getLong(ProducerConfig.LINGER_MS_CONFIG)
                + checked.getInt(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG);
        if (waitMs > settings.sendTimeout().toMillis()) {
            throw new IllegalArgumentException(settings.connection().property(ProducerConfig.LINGER_MS_CONFIG) + " and "
                    + settings.connection().property(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG) + " together are "
                    + waitMs
                    + " ms: must be at most mykit.delay.delivery.send-timeout, "
                    + settings.sendTimeout().toMillis() + " ms");
        }
        return checked.getInt(ProducerConfig.MAX_REQUEST_SIZE_CONFIG);
    }

    /** Of the producer. */
    Map<String, Object> producer() {
        return producer;
    }

    /** Of the client that asks for topics: those of the producer that it knows. */
    Map<String, Object> admin() {
        return ConnectionProperties.of(producer, AdminClientConfig.configNames());
    }

    /** Whether connections are encrypted. */
    boolean tls() {
        return ConnectionProperties.tls(producer);
    }

    String bootstrapServers() {
        return bootstrapServers;
    }

    /** Of the configuration, for messages to a person. */
    String section() {
        return section;
    }

    /** The largest record that the producer sends, key and headers included. */
    long maxRecordBytes() {
        return maxRecordBytes;
    }

    /** Leaves all values out. */
    @Override
    public String toString() {
        return "ClientProperties[" + bootstrapServers + "]";
    }
}
