package io.mykit.delay.kafka;

import io.mykit.delay.common.text.EditDistance;
import io.mykit.delay.common.value.Secret;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.config.types.Password;

/** Makes the properties of a client of a {@link Connection}. They hold passwords. Stateless. */
public final class ConnectionProperties {
    /** Letters of a name that may be wrong, missing or too many. */
    private static final int MOST_WRONG = 3;

    private ConnectionProperties() {}

    /**
     * Adds brokers, account, TLS, and what the user gives.
     *
     * @param known the names of the properties of the client
     * @param client its name: {@code producer}
     * @throws IllegalArgumentException if a property does not exist, or a certificate cannot be read; the message names the key and no value
     */
    public static void add(Map<String, Object> all, Connection connection, Set<String> known, String client) {
        connection.properties().forEach((name, value) -> {
            if (!known.contains(name)) {
                throw new IllegalArgumentException(connection.property(name) + ": Kafka has no such " + client
                        + " property" + nearest(known, name));
            }
            all.put(name, value.reveal());
        });
        all.put(
                CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG,
                connection.bootstrapServers().orElseThrow());
        secure(all, connection);
    }

    private static void secure(Map<String, Object> all, Connection connection) {
        Optional<String> username = connection.username();
        if (username.isPresent() || connection.tls()) {
            String protocol = (username.isPresent() ? "SASL_" : "") + (connection.tls() ? "SSL" : "PLAINTEXT");
            all.put(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, protocol);
        }
        username.ifPresent(user -> {
            Secret password = connection.password().orElse(new Secret(""));
            all.put(SaslConfigs.SASL_MECHANISM, connection.mechanism().word());
            all.put(
                    SaslConfigs.SASL_JAAS_CONFIG,
                    new Password(connection.mechanism().login(user, password)));
        });
        if (connection.tls()) {
            all.put(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG, KafkaTls.class);
            all.put(KafkaTls.CERTIFICATES, connection.certificates());
            all.put(SslConfigs.SSL_ENDPOINT_IDENTIFICATION_ALGORITHM_CONFIG, connection.verifiesHost() ? "https" : "");
        }
    }

    /** Those that another client knows too: brokers, account, TLS, and all properties that have these names. */
    public static Map<String, Object> of(Map<String, Object> all, Set<String> known) {
        Map<String, Object> own = new HashMap<>(all);
        own.keySet().retainAll(known);
        Object certificates = all.get(KafkaTls.CERTIFICATES);
        if (certificates != null) {
            own.put(KafkaTls.CERTIFICATES, certificates);
        }
        return own;
    }

    /** Whether connections are encrypted. Kafka takes the name of the protocol in any case. */
    public static boolean tls(Map<String, Object> all) {
        return String.valueOf(all.get(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG))
                .toUpperCase(Locale.ROOT)
                .contains("SSL");
    }

    /** The refusal of a value by the client library. Its message may have the value, so only the name is taken of it. */
    public static IllegalArgumentException refused(Connection connection, RuntimeException e) {
        String told = String.valueOf(e.getMessage());
        for (Map.Entry<String, Secret> property : connection.properties().entrySet()) {
            if (told.contains("configuration " + property.getKey())) {
                return new IllegalArgumentException(connection.property(property.getKey()) + ": Kafka refuses the value"
                        + reason(told, property.getValue()));
            }
        }
        String hidden = hidden(told, connection.properties().values());
        for (String name : connection.properties().keySet()) {
            if (told.contains(name)) {
                return new IllegalArgumentException(connection.property(name) + ": " + hidden);
            }
        }
        return new IllegalArgumentException(connection.properties(": ") + hidden);
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
}
