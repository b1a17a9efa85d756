package io.mykit.delay.ingest.kafka;

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

class IngestSettingsTest {
    private static final IngestBounds BOUNDS = IngestBounds.of(20_000);

    @Test
    void withoutBrokersThereIsNoIngest() {
        assertThat(KafkaIngestSection.address(settings(Map.of("bootstrap-servers", ""))))
                .isEmpty();
        assertThat(KafkaIngestSection.address(settings(Map.of()))).contains("127.0.0.1:9092, topic mykit-delay-push");
    }

    @Test
    void offsetsAreNeverCommittedByTheClientAndAbortedRecordsNeverRead() {
        assertThat(IngestProperties.of(new IngestSettings(settings(Map.of("properties.max.poll.records", "7"))), BOUNDS)
                        .consumer())
                .containsEntry("enable.auto.commit", false)
                .containsEntry("isolation.level", "read_committed")
                .containsEntry("allow.auto.create.topics", false)
                .containsEntry("group.id", "mykit-delay")
                .containsEntry("max.poll.records", "7");
    }

    @ParameterizedTest
    @CsvSource({"20000, 500", "400, 100", "1, 1"})
    void onePollBringsNoMoreThanMayBeInFlight(int queueLimit, int records) {
        assertThat(IngestProperties.of(new IngestSettings(settings(Map.of())), IngestBounds.of(queueLimit))
                        .consumer())
                .containsEntry("max.poll.records", records);
    }

    @Test
    void theProducerOfRejectedRecordsHasTheAccountOfTheConsumer() {
        IngestProperties made = IngestProperties.of(
                new IngestSettings(settings(
                        Map.of("username", "u", "password", "s3cret", "tls", "true", "properties.client.rack", "r"))),
                BOUNDS);
        assertThat(made.producer())
                .containsEntry("security.protocol", "SASL_SSL")
                .containsEntry("acks", "all")
                .containsKeys("sasl.jaas.config", "ssl.engine.factory.class", "mykit.delay.certificates")
                .doesNotContainKeys("group.id", "client.rack");
        assertThat(made + "" + made.producer() + made.consumer()).doesNotContain("s3cret");
    }

    @ParameterizedTest
    @CsvSource({
        "group.id, mykit.delay.ingest.kafka.group",
        "enable.auto.commit, wait for the database",
        "isolation.level, read_committed",
        "key.deserializer, bytes"
    })
    void aPropertyThatTheIngestNeedsIsRefusedByName(String name, String reason) {
        assertThat(problems(Map.of("properties." + name, "1")))
                .singleElement()
                .asString()
                .startsWith("properties." + name + ": cannot be set: ")
                .contains(reason);
    }

    @ParameterizedTest
    @CsvSource({"topic, a b", "topic, ..", "rejected-topic, a/b", "rejected-topic, mykit-delay-push"})
    void aTopicThatCannotBeIsRefused(String key, String topic) {
        assertThat(problems(Map.of(key, topic))).singleElement().asString().startsWith(key + ": must ");
    }

    @Test
    void aTopicLeavesPlaceForTheIds() {
        assertThat(problems(Map.of("topic", "t".repeat(95)))).isEmpty();
        assertThat(problems(Map.of("topic", "t".repeat(96)))).hasSize(1);
        assertThat(("k:" + "t".repeat(95) + ":" + Integer.MAX_VALUE + ":" + Long.MAX_VALUE).length())
                .isEqualTo(128);
    }

    @Test
    void theUserGivesPropertiesOfAConsumerAlone() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() ->
                        IngestProperties.of(new IngestSettings(settings(Map.of("properties.acks", "all"))), BOUNDS))
                .withMessageStartingWith(
                        "mykit.delay.ingest.kafka.properties.acks: Kafka has no such consumer property");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> IngestProperties.of(
                        new IngestSettings(settings(Map.of("properties.max.poll.records", "hush-hush"))), BOUNDS))
                .withMessageContaining("mykit.delay.ingest.kafka.properties.max.poll.records")
                .withMessageNotContaining("hush-hush");
    }

    private static List<String> problems(Map<String, String> given) {
        List<String> problems = new ArrayList<>();
        new KafkaIngestSection().check(settings(given), new ChannelProblems() {
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

    private static ChannelSettings settings(Map<String, String> given) {
        Map<String, String> all = new HashMap<>(Map.of("bootstrap-servers", "127.0.0.1:9092"));
        all.putAll(given);
        return ChannelSettings.of(KafkaIngestSection.NAME, IngestSettings.keys(), all, Duration.ofSeconds(3), false);
    }
}
