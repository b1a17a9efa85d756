package io.mykit.delay.channel.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.channel.kafka.KafkaSettings.RecordKey;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.RetryOptions;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordMappingTest {
    private static final int LIMIT = 2_000;
    private static final RecordMapping MAPPING = new RecordMapping(RecordKey.BIZ_KEY, LIMIT);

    @Test
    void everyFieldIsInTheRecord() {
        DelayMessage message = message("shop/orders", "sub", "biz", "w6kAeA==")
                .withExtras(new MessageExtras(true, Map.of("trace-id", "\u4e2d"), RetryOptions.NONE, 0, Map.of(), 0))
                .retriedAt(9_000);

        ProducerRecord<byte[], byte[]> record = MAPPING.record(new Outgoing(message, 3, 16));

        assertThat(record.topic()).isEqualTo("shop.orders");
        assertThat(record.partition()).isNull();
        assertThat(new String(record.key(), UTF_8)).isEqualTo("biz");
        assertThat(new String(record.value(), UTF_8)).isEqualTo("\u00e9\u0000x");
        assertThat(headers(record))
                .isEqualTo(Map.of(
                        "trace-id", "\u4e2d",
                        "id", "i",
                        "subtopic", "sub",
                        "bizKey", "biz",
                        "dueTime", "2000",
                        "createTime", "1000",
                        "attempt", "3"));
    }

    @Test
    void whatIsEmptyIsNoHeaderAndAnEmptyBodyIsNoTombstone() {
        ProducerRecord<byte[], byte[]> record = MAPPING.record(new Outgoing(message("t", "", "", ""), 1, 0));

        assertThat(record.key()).isNull();
        assertThat(record.value()).isNotNull().isEmpty();
        assertThat(headers(record)).containsOnlyKeys("id", "dueTime", "createTime", "attempt");
    }

    @ParameterizedTest
    @CsvSource({
        "BIZ_KEY, sub, biz, biz",
        "BIZ_KEY, sub, '', sub",
        "BIZ_KEY, '', '', ",
        "ID, sub, biz, i",
        "NONE, sub, biz, "
    })
    void theSettingDecidesTheKey(RecordKey key, String subtopic, String bizKey, String expected) {
        byte[] made = new RecordMapping(key, LIMIT)
                .record(new Outgoing(message("t", subtopic, bizKey, "b"), 1, 0))
                .key();
        assertThat(made == null ? null : new String(made, UTF_8)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a b", "a%b", "\u8ba2\u5355", "a:b", "a\nb"})
    void aTopicThatKafkaForbidsIsObjectedTo(String topic) {
        assertThat(MAPPING.objection(message(topic, "", "", "b")))
                .get()
                .asString()
                .contains("Kafka topics are 1 to 249");
    }

    @Test
    void theLengthOfATopicIsBounded() {
        assertThat(MAPPING.objection(message("t".repeat(249), "", "", "b"))).isEmpty();
        assertThat(MAPPING.objection(message("t".repeat(250), "", "", "b"))).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a.b", "a_b-C9", "shop/orders", "..."})
    void otherTopicsAreTaken(String topic) {
        assertThat(MAPPING.objection(message(topic, "", "", "b"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "subtopic", "attempt"})
    void aHeaderThatTheChannelSetsIsObjectedTo(String name) {
        DelayMessage message = message("t", "", "", "b")
                .withExtras(new MessageExtras(false, Map.of(name, "x"), RetryOptions.NONE, 0, Map.of(), 0));
        assertThat(MAPPING.objection(message)).get().asString().startsWith("headers." + name + " is reserved");
    }

    @Test
    void aRecordAboveTheLimitIsObjectedToWithTheKey() {
        assertThat(MAPPING.objection(message("t", "", "", "x".repeat(LIMIT - 300))))
                .isEmpty();
        assertThat(MAPPING.objection(message("t", "", "", "x".repeat(LIMIT))))
                .get()
                .asString()
                .contains("at most 2000 bytes", "mykit.delay.kafka.properties.max.request.size");
        assertThat(MAPPING.objection(message("t", "", "k".repeat(LIMIT / 2), "x")))
                .isPresent();
    }

    private static Map<String, String> headers(ProducerRecord<byte[], byte[]> record) {
        Map<String, String> headers = new LinkedHashMap<>();
        record.headers().forEach(header -> headers.put(header.key(), new String(header.value(), UTF_8)));
        return headers;
    }

    private static DelayMessage message(String topic, String subtopic, String bizKey, String body) {
        return new DelayMessage("i", topic, subtopic, bizKey, body, 1000, 1000, 2000, 0, 0);
    }
}
