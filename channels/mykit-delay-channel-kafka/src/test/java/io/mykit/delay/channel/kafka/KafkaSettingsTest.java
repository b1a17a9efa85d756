package io.mykit.delay.channel.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The keys of the channel, what is refused of them, and the properties that are made of them. */
class KafkaSettingsTest {
    private static final String SECRET = "s3cret-\"quoted\\";

    @Test
    void theAddressIsNeededIfTheChannelIsInUse() {
        assertThat(problems(Map.of("bootstrap-servers", "")))
                .singleElement()
                .asString()
                .contains("bootstrap-servers: is needed");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> new KafkaChannelFactory().open(settings(Map.of("bootstrap-servers", ""))))
                .withMessageContaining("mykit.delay.kafka.bootstrap-servers is missing");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kafka",
                "kafka:",
                "kafka:0",
                "kafka:65536",
                "a:1;b:2",
                "a:1,,b:2",
                "a:1,",
                "PLAINTEXT://a:1",
                "::1:9092"
            })
    void anAddressWithoutHostAndPortIsRefused(String address) {
        assertThat(problems(Map.of("bootstrap-servers", address)))
                .containsExactly("bootstrap-servers: must be host:port, more than one separated by ,");
    }

    @ParameterizedTest
    @ValueSource(strings = {"kafka:9092", " a.example:1 , b:65535 ", "[::1]:9092"})
    void hostsAndPortsAreTaken(String addresses) {
        assertThat(problems(Map.of("bootstrap-servers", addresses))).isEmpty();
    }

    @Test
    void accountAndPasswordBelongTogetherAndCertificatesToTls() {
        assertThat(problems(Map.of("username", "u")))
                .containsExactly("username: must be set together with mykit.delay.kafka.password, which is missing");
        assertThat(problems(Map.of("password", "p")))
                .containsExactly("password: must be set together with mykit.delay.kafka.username, which is missing");
        assertThat(problems(Map.of("trust-store", "/t.pem")))
                .singleElement()
                .asString()
                .contains("mykit.delay.kafka.tls = true");
        assertThat(problems(Map.of("tls-verify-host", "false")))
                .singleElement()
                .asString()
                .contains("mykit.delay.kafka.tls = true");
    }

    @ParameterizedTest
    @CsvSource({
        "acks, needs all",
        "enable.idempotence, needs true",
        "delivery.timeout.ms, mykit.delay.delivery.send-timeout",
        "max.block.ms, needs 0",
        "bootstrap.servers, use mykit.delay.kafka.bootstrap-servers",
        "key.serializer, bytes",
        "value.serializer, bytes",
        "transactional.id, no transactions"
    })
    void aPropertyThatTheChannelNeedsIsRefusedByName(String name, String reason) {
        assertThat(problems(Map.of("properties." + name, "1")))
                .singleElement()
                .asString()
                .startsWith("properties." + name + ": cannot be set: ")
                .contains(reason);
    }

    @ParameterizedTest
    @CsvSource({"lz4, at.yawk.lz4:lz4-java", "snappy, org.xerial.snappy:snappy-java", "zstd, com.github.luben:zstd-jni"
    })
    void aCompressionWhoseJarIsMissingNamesTheJar(String type, String jar) {
        assertThat(problems(Map.of("properties.compression.type", type)))
                .singleElement()
                .asString()
                .startsWith("properties.compression.type: " + type + " needs " + jar)
                .contains("plugins/");
    }

    @Test
    void compressionThatNeedsNoJarIsTaken() {
        Map<String, String> gzip = Map.of("properties.compression.type", "gzip");
        assertThat(problems(gzip)).isEmpty();
        assertThat(properties(gzip).producer()).containsEntry("compression.type", "gzip");
    }

    @Test
    void accountAndTlsExcludeTheirProperties() {
        Map<String, String> given = Map.of(
                "username", "u",
                "password", "p",
                "tls", "true",
                "properties.security.protocol", "PLAINTEXT",
                "properties.sasl.jaas.config", "x",
                "properties.ssl.truststore.location", "/x",
                "properties.ssl.endpoint.identification.algorithm", "x");
        assertThat(problems(given))
                .hasSize(4)
                .anySatisfy(text -> assertThat(text).startsWith("properties.security.protocol: cannot be set"))
                .anySatisfy(text ->
                        assertThat(text).startsWith("properties.sasl.jaas.config: excludes mykit.delay.kafka.username"))
                .anySatisfy(text -> assertThat(text)
                        .startsWith("properties.ssl.truststore.location: excludes mykit.delay.kafka.tls"))
                .anySatisfy(text ->
                        assertThat(text).startsWith("properties.ssl.endpoint.identification.algorithm: excludes"));
    }

    @Test
    void theProducerIsSafeAndBoundedBySendTimeout() {
        assertThat(properties(Map.of()).producer())
                .containsEntry("acks", "all")
                .containsEntry("enable.idempotence", true)
                .containsEntry("delivery.timeout.ms", 3000)
                .containsEntry("max.block.ms", 0L)
                .containsEntry("bootstrap.servers", "127.0.0.1:9092")
                .doesNotContainKey("security.protocol");
    }

    @Test
    void anUnknownPropertyIsRefusedWithTheOneThatWasMeant() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> properties(Map.of("properties.linger.mss", "1")))
                .withMessage(
                        "mykit.delay.kafka.properties.linger.mss: Kafka has no such producer property; did you mean linger.ms?");
    }

    @ParameterizedTest
    @CsvSource({
        "linger.ms, hush-hush",
        "max.request.size, hush-hush",
        "compression.type, hush-hush",
        "sasl.mechanism, ''"
    })
    void aValueThatKafkaRefusesNamesTheKeyAndHidesTheValue(String name, String value) {
        if (value.isEmpty()) {
            // An empty value counts as missing.
            assertThat(properties(Map.of("properties." + name, value)).producer())
                    .doesNotContainKey(name);
            return;
        }
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> properties(Map.of("properties." + name, value)))
                .withMessageContaining("mykit.delay.kafka.properties." + name)
                .withMessageNotContaining("hush-hush");
    }

    @Test
    void waitsThatDoNotFitIntoTheSendTimeoutAreRefused() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> properties(Map.of("properties.linger.ms", "2000")))
                .withMessageContaining("mykit.delay.kafka.properties.linger.ms")
                .withMessageContaining(
                        "together are 3500 ms: must be at most mykit.delay.delivery.send-timeout, 3000 ms");
    }

    @Test
    void theAccountIsQuotedForTheClientAndShownNowhere() {
        ClientProperties made = properties(Map.of("username", "us\"er", "password", SECRET, "sasl-mechanism", "plain"));

        assertThat(made.producer())
                .containsEntry("security.protocol", "SASL_PLAINTEXT")
                .containsEntry("sasl.mechanism", "PLAIN")
                .containsEntry(
                        "sasl.jaas.config",
                        new Password("org.apache.kafka.common.security.plain.PlainLoginModule required"
                                + " username=\"us\\\"er\" password=\"s3cret-\\\"quoted\\\\\";"));
        assertThat(made.admin())
                .containsKeys("sasl.jaas.config", "bootstrap.servers")
                .doesNotContainKey("acks");
        assertThat(made.toString() + made.producer()).doesNotContain("s3cret");
    }

    @Test
    void tlsTakesTheCertificatesOfTheChannel() {
        assertThat(properties(Map.of("tls", "true", "tls-verify-host", "false")).producer())
                .containsEntry("security.protocol", "SSL")
                .containsEntry("ssl.endpoint.identification.algorithm", "")
                .containsEntry("ssl.engine.factory.class", ChannelTls.class)
                .containsKey(ChannelTls.CERTIFICATES);
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> properties(Map.of("tls", "true", "trust-store", "/no/such.pem")))
                .withMessageContaining("mykit.delay.kafka.trust-store = /no/such.pem: there is no such file");
    }

    /** Kafka takes the name of the protocol in any case. */
    @ParameterizedTest
    @CsvSource({"ssl, true", "SASL_ssl, true", "SSL, true", "plaintext, false", "sasl_plaintext, false"})
    void theProtocolOfTheUserSaysWhetherThereIsTls(String protocol, boolean tls) {
        assertThat(properties(Map.of("properties.security.protocol", protocol)).tls())
                .isEqualTo(tls);
    }

    private static List<String> problems(Map<String, String> given) {
        List<String> problems = new ArrayList<>();
        new KafkaChannelFactory().check(settings(given), new ChannelProblems() {
            @Override
            public void add(ChannelKey<?> key, String allowed) {
                problems.add(key.name() + ": " + allowed);
            }

            @Override
            public void add(ChannelKey<?> key, String part, String allowed) {
                problems.add(key.name() + "." + part + ": " + allowed);
            }
        });
        return problems;
    }

    private static ClientProperties properties(Map<String, String> given) {
        return ClientProperties.of(new KafkaSettings(settings(given)));
    }

    private static ChannelSettings settings(Map<String, String> given) {
        Map<String, String> all = new HashMap<>(Map.of("bootstrap-servers", "127.0.0.1:9092"));
        all.putAll(given);
        return ChannelSettings.of("kafka", KafkaSettings.keys(), all, Duration.ofSeconds(3));
    }
}
