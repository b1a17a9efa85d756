package io.mykit.delay.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The properties of a client that follow from the keys of its connection. */
class ConnectionPropertiesTest {
    private static final String SECRET = "s3cret-\"quoted\\";

    @Test
    void anUnknownPropertyIsRefusedWithTheOneThatWasMeant() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> properties(Map.of("properties.linger.mss", "1")))
                .withMessage(
                        "mykit.delay.kafka.properties.linger.mss: Kafka has no such producer property; did you mean"
                                + " linger.ms?");
    }

    @ParameterizedTest
    @ValueSource(strings = {"linger.ms", "max.request.size", "compression.type"})
    void aValueThatKafkaRefusesNamesTheKeyAndHidesTheValue(String name) {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> properties(Map.of("properties." + name, "hush-hush")))
                .withMessageContaining("mykit.delay.kafka.properties." + name)
                .withMessageNotContaining("hush-hush");
    }

    @Test
    void anEmptyValueCountsAsMissing() {
        assertThat(properties(Map.of("properties.sasl.mechanism", ""))).doesNotContainKey("sasl.mechanism");
    }

    @Test
    void theAccountIsQuotedForTheClientAndShownNowhere() {
        Map<String, Object> made =
                properties(Map.of("username", "us\"er", "password", SECRET, "sasl-mechanism", "plain"));
        assertThat(made)
                .containsEntry("security.protocol", "SASL_PLAINTEXT")
                .containsEntry("sasl.mechanism", "PLAIN")
                .containsEntry(
                        "sasl.jaas.config",
                        new Password("org.apache.kafka.common.security.plain.PlainLoginModule required"
                                + " username=\"us\\\"er\" password=\"s3cret-\\\"quoted\\\\\";"));
        assertThat(ConnectionProperties.of(made, AdminClientConfig.configNames()))
                .containsKeys("sasl.jaas.config", "bootstrap.servers")
                .doesNotContainKey("acks");
        assertThat(made.toString()).doesNotContain("s3cret");
    }

    @Test
    void tlsTakesTheCertificatesOfTheSection() {
        assertThat(properties(Map.of("tls", "true", "tls-verify-host", "false")))
                .containsEntry("security.protocol", "SSL")
                .containsEntry("ssl.endpoint.identification.algorithm", "")
                .containsEntry("ssl.engine.factory.class", KafkaTls.class)
                .containsKey(KafkaTls.CERTIFICATES);
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> properties(Map.of("tls", "true", "trust-store", "/no/such.pem")))
                .withMessageContaining("mykit.delay.kafka.trust-store = /no/such.pem: there is no such file");
    }

    /** Kafka takes the name of the protocol in any case. */
    @ParameterizedTest
    @CsvSource({"ssl, true", "SASL_ssl, true", "SSL, true", "plaintext, false", "sasl_plaintext, false"})
    void theProtocolOfTheUserSaysWhetherThereIsTls(String protocol, boolean tls) {
        assertThat(ConnectionProperties.tls(properties(Map.of("properties.security.protocol", protocol))))
                .isEqualTo(tls);
    }

    /** As a producer has them. */
    private static Map<String, Object> properties(Map<String, String> given) {
        Connection connection = TestConnection.of(given);
        Map<String, Object> all = new HashMap<>(Map.of(
                ProducerConfig.ACKS_CONFIG,
                "all",
                ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
                ByteArraySerializer.class,
                ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
                ByteArraySerializer.class));
        ConnectionProperties.add(all, connection, ProducerConfig.configNames(), "producer");
        try {
            new ProducerConfig(all);
        } catch (RuntimeException e) {
            throw ConnectionProperties.refused(connection, e);
        }
        return all;
    }
}
