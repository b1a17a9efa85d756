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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the channel needs of its keys, and the properties that it sets itself. Those of the connection have tests of their own. */
class KafkaSettingsTest {
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
    void aBatchOfSmallMessagesIsOneBatchOfRecordsUnlessTheUserSaysOtherwise() {
        assertThat(properties(Map.of()).producer()).containsEntry("batch.size", 65_536);
        assertThat(properties(Map.of("properties.batch.size", "1000")).producer())
                .containsEntry("batch.size", "1000");
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
    void theUserGivesPropertiesOfAProducerAlone() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> properties(Map.of("properties.max.poll.records", "1")))
                .withMessageStartingWith(
                        "mykit.delay.kafka.properties.max.poll.records: Kafka has no such producer property");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> properties(Map.of("properties.linger.ms", "hush-hush")))
                .withMessageContaining("mykit.delay.kafka.properties.linger.ms")
                .withMessageNotContaining("hush-hush");
    }

    @Test
    void theClientThatAsksForTopicsHasTheAccountOfTheProducer() {
        ClientProperties made = properties(Map.of("username", "u", "password", "s3cret"));
        assertThat(made.admin())
                .containsKeys("sasl.jaas.config", "bootstrap.servers")
                .doesNotContainKey("acks");
        assertThat(made.toString() + made.producer() + made.admin()).doesNotContain("s3cret");
    }

    @Test
    void waitsThatDoNotFitIntoTheSendTimeoutAreRefused() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> properties(Map.of("properties.linger.ms", "2000")))
                .withMessageContaining("mykit.delay.kafka.properties.linger.ms")
                .withMessageContaining(
                        "together are 3500 ms: must be at most mykit.delay.delivery.send-timeout, 3000 ms");
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
