package io.mykit.delay.test.server;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The accounts and the TLS of a Kafka.
 *
 * @param user an account that may write to topics whose names begin with {@link #prefix}; empty = every client may do everything
 * @param certificate of the broker; null = no TLS
 */
public record KafkaAccess(String user, String password, String prefix, TestCertificate certificate) {
    /** Every client may do everything, without TLS. */
    public static final KafkaAccess OPEN = new KafkaAccess("", "", "", null);

    /** Whether the broker demands an account and TLS. */
    boolean isSecured() {
        return !user.isEmpty();
    }

    /** The protocol of the listener for clients. */
    String protocol() {
        return isSecured() ? "SASL_SSL" : "PLAINTEXT";
    }

    /** Both mechanisms know the account. */
    List<String> formatArguments() {
        return isSecured()
                ? List.of("--add-scram", "SCRAM-SHA-512=[name=" + user + ",password=" + password + "]")
                : List.of();
    }

    Map<String, String> brokerSettings() {
        Map<String, String> settings = new LinkedHashMap<>();
        if (isSecured()) {
            settings.put("sasl.enabled.mechanisms", "SCRAM-SHA-512,PLAIN");
            settings.put(
                    "listener.name.main.scram-sha-512.sasl.jaas.config",
                    "org.apache.kafka.common.security.scram.ScramLoginModule required;");
            settings.put(
                    "listener.name.main.plain.sasl.jaas.config",
                    "org.apache.kafka.common.security.plain.PlainLoginModule required user_" + user + "=\"" + password
                            + "\";");
            settings.put("ssl.keystore.location", certificate.store().toString());
            settings.put("ssl.keystore.type", "PKCS12");
            settings.put("ssl.keystore.password", TestCertificate.PASSWORD);
            settings.put("ssl.key.password", TestCertificate.PASSWORD);
            settings.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
            settings.put("super.users", "User:ANONYMOUS");
        }
        return settings;
    }
}
