package io.mykit.delay.channel.kafka;

import io.mykit.delay.common.text.EditDistance;
import io.mykit.delay.common.value.Secret;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The properties of the producer and of its admin client. They hold passwords. Immutable. */
final class ClientProperties {
    /** Letters of a name that may be wrong, missing or too many. */
    private static final int MOST_WRONG = 3;

    private final Map<String, Object> producer;
    private final String bootstrapServers;
    private final long maxRecordBytes;

    private ClientProperties(Map<String, Object> producer, String bootstrapServers, long maxRecordBytes) {
        this.producer = Map.copyOf(producer);
        this.bootstrapServers = bootstrapServers;
        this.maxRecordBytes = maxRecordBytes;
    }

    /**
     * @throws IllegalArgumentException if a property does not exist or its value cannot be used, or a certificate cannot be read; the
     *     message names the key and no value
     */
    static ClientProperties of(KafkaSettings settings) {
        Map<String, Object> all = defaults(settings.sendTimeout());
        Set<String> known = ProducerConfig.configNames();
        settings.properties().forEach((name, value) -> {
            if (!known.contains(name)) {
                throw new IllegalArgumentException(
                        settings.property(name) + ": Kafka has no such producer property" + nearest(known, name));
            }
            all.put(name, value.reveal());
        });
        String servers = settings.bootstrapServers().orElseThrow();
        all.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, servers);
        secure(all, settings);
        return new ClientProperties(all, servers, maxRecordBytes(all, settings));
    }

    /** Those that a user may change, and those that {@link PropertyRules} keeps. */
    private static Map<String, Object> defaults(Duration sendTimeout) {
        int timeoutMs = Math.toIntExact(sendTimeout.toMillis());
        Map<String, Object> all = new HashMap<>();
        all.put(ProducerConfig.CLIENT_ID_CONFIG, "mykit-delay");
        all.put(ProducerConfig.LINGER_MS_CONFIG, 0L);
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

    private static void secure(Map<String, Object> all, KafkaSettings settings) {
        Optional<String> username = settings.username();
        if (username.isPresent() || settings.tls()) {
            String protocol = (username.isPresent() ? "SASL_" : "") + (settings.tls() ? "SSL" : "PLAINTEXT");
            all.put(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, protocol);
        }
        username.ifPresent(user -> {
            Secret password = settings.password().orElse(new Secret(""));
            all.put(SaslConfigs.SASL_MECHANISM, settings.mechanism().word());
            all.put(
                    SaslConfigs.SASL_JAAS_CONFIG,
                    new Password(settings.mechanism().login(user, password)));
        });
        if (settings.tls()) {
            all.put(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG, ChannelTls.class);
            all.put(ChannelTls.CERTIFICATES, settings.certificates());
            all.put(SslConfigs.SSL_ENDPOINT_IDENTIFICATION_ALGORITHM_CONFIG, settings.verifiesHost() ? "https" : "");
        }
    }

    /** Checks the values as the producer will. */
    private static long maxRecordBytes(Map<String, Object> all, KafkaSettings settings) {
        ProducerConfig checked;
        try {
            checked = new ProducerConfig(all);
        } catch (RuntimeException e) {
            throw refused(settings, e);
        }
        long waitMs = checked.getLong(ProducerConfig.LINGER_MS_CONFIG)
                + checked.getInt(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG);
        if (waitMs > settings.sendTimeout().toMillis()) {
            throw new IllegalArgumentException(settings.property(ProducerConfig.LINGER_MS_CONFIG) + " and "
                    + settings.property(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG) + " together are " + waitMs
                    + " ms: must be at most mykit.delay.delivery.send-timeout, "
                    + settings.sendTimeout().toMillis() + " ms");
        }
        return checked.getInt(ProducerConfig.MAX_REQUEST_SIZE_CONFIG);
    }

    /** The message of the client library may have the value, so only the name is taken of it. */
    private static IllegalArgumentException refused(KafkaSettings settings, RuntimeException e) {
        String told = String.valueOf(e.getMessage());
        for (Map.Entry<String, Secret> property : settings.properties().entrySet()) {
            if (told.contains("configuration " + property.getKey())) {
                return new IllegalArgumentException(settings.property(property.getKey()) + ": Kafka refuses the value"
                        + reason(told, property.getValue()));
            }
        }
        for (String name : settings.properties().keySet()) {
            if (told.contains(name)) {
                return new IllegalArgumentException(settings.property(name) + ": "
                        + hidden(told, settings.properties().values()));
            }
        }
        return new IllegalArgumentException(settings.name(KafkaSettings.PROPERTIES) + ": "
                + hidden(told, settings.properties().values()));
    }

    /** What Kafka says behind the name: the allowed form. */
    private static String reason(String told, Secret value) {
        int colon = told.indexOf(": ");
        return colon < 0 ? "" : ": " + told.substring(colon + 2).replace(value.reveal(), "***");
    }

    private static String hidden(String told, Iterable<Secret> values) {
        String hidden = told;
        for (Secret value : values) {
            // A number of one digit is no secret, and would hide the limits that the text names.
            hidden = value.reveal().length() < MOST_WRONG ? hidden : hidden.replace(value.reveal(), "***");
        }
        return hidden;
    }

    private static String nearest(Set<String> known, String name) {
        return known.stream()
                .min(Comparator.comparingInt(other -> EditDistance.between(other, name)))
                .filter(other -> EditDistance.between(other, name) <= MOST_WRONG)
                .map(other -> "; did you mean " + other + "?")
                .orElse("");
    }

    /** Of the producer. */
    Map<String, Object> producer() {
        return producer;
    }

    /** Of the client that asks for topics: those of the producer that it knows. */
    Map<String, Object> admin() {
        Map<String, Object> own = new HashMap<>(producer);
        own.keySet().retainAll(AdminClientConfig.configNames());
        Object certificates = producer.get(ChannelTls.CERTIFICATES);
        if (certificates != null) {
            own.put(ChannelTls.CERTIFICATES, certificates);
        }
        return own;
    }

    /** Whether connections are encrypted. Kafka takes the name of the protocol in any case. */
    boolean tls() {
        return String.valueOf(producer.get(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG))
                .toUpperCase(Locale.ROOT)
                .contains("SSL");
    }

    String bootstrapServers() {
        return bootstrapServers;
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
