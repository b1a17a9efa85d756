package io.mykit.delay.ingest.kafka;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.Namespaces;
import io.mykit.delay.queue.producer.CheckedPush;
import io.mykit.delay.queue.producer.PushRules;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordFormTest {
    private static final long NOW = 1_800_000_000_000L;
    private static final long SENT = NOW - 5_000;
    private static final int MAX_BODY = 1000;

    private final InstantSource clock = InstantSource.fixed(Instant.ofEpochMilli(NOW));
    private final RecordForm form = new RecordForm(
            new PushRules(() -> "made", clock, message -> Optional.empty(), new Namespaces("shop"::equals)),
            clock,
            MAX_BODY);

    @Test
    void aJsonPushHasTheFieldsOfHttpAndCountsFromTheTimestamp() {
        DelayMessage message =
                json("{\"topic\":\"orders\",\"body\":\"b\",\"delay\":\"10s\",\"headers\":{\"a\":\"1\"}}");
        assertThat(message.topic()).isEqualTo("orders");
        assertThat(message.body()).isEqualTo("b");
        assertThat(message.id()).isEqualTo("k:pushes:3:000000000077");
        assertThat(message.createTimeMs()).isEqualTo(SENT);
        assertThat(message.dueTimeMs()).isEqualTo(SENT + 10_000);
        assertThat(message.extras().headers()).containsEntry("a", "1");
    }

    @Test
    void theIdOfARecordWithoutOneIsInTheNamespaceOfTheTopic() {
        String text = "{\"topic\":\"shop/orders\",\"delay\":1,\"replace\":true}";
        ConsumerRecord<byte[], byte[]> record = record(null, text.getBytes(UTF_8), SENT, Map.of());
        RecordForm.Read read = form.read(record);
        CheckedPush push = read.push();
        assertThat(push.message().id()).isEqualTo("shop/k:pushes:3:000000000077");
        assertThat(push.message().extras().idempotencyKeys()).containsExactly("k:3:77:" + SENT);
        assertThat(read.isMade()).isTrue();
        assertThat(raw(Map.of("mykit-topic", "shop/orders")).id()).isEqualTo("shop/k:pushes:3:000000000077");
        assertThat(raw(Map.of("mykit-topic", "other/orders")).id())
                .as("no namespace")
                .isEqualTo("k:pushes:3:000000000077");
        RecordForm.Read own =
                form.read(record(null, new byte[0], SENT, Map.of("mykit-topic", "shop/orders", "mykit-id", "shop/20")));
        assertThat(own.id()).isEqualTo("shop/20");
        assertThat(own.isMade()).isFalse();
        assertRefused(
                record(null, new byte[0], SENT, Map.of("mykit-topic", "shop/orders", "mykit-id", "20")),
                ErrorCode.INVALID_REQUEST,
                "the id must begin with shop/");
    }

    @Test
    void theProducersOwnIdAndCreateTimeStay() {
        DelayMessage message = json("{\"topic\":\"orders\",\"id\":\"mine\",\"createTime\":1700000000000,\"delay\":1}");
        assertThat(message.id()).isEqualTo("mine");
        assertThat(message.createTimeMs()).isEqualTo(1_700_000_000_000L);
    }

    @Test
    void aReplacementHasAKeyThatTellsItsRepeats() {
        String text = "{\"topic\":\"orders\",\"id\":\"mine\",\"replace\":true,\"delay\":1}";
        CheckedPush push =
                form.read(record(null, text.getBytes(UTF_8), SENT, Map.of())).push();
        assertThat(push.replace()).isTrue();
        assertThat(push.message().extras().idempotencyKeys()).containsExactly("k:3:77:" + SENT);
        assertThat(json(text.replace("\"delay\":1", "\"idempotencyKey\":\"own\""))
                        .extras()
                        .idempotencyKeys())
                .containsExactly("own");
    }

    @Test
    void aRawRecordIsBytesWithHeaders() {
        byte[] body = {0, -1, 7};
        DelayMessage message = form.read(record(
                        "customer-7",
                        body,
                        SENT,
                        Map.of(
                                "mykit-topic", "orders",
                                "mykit-delay", "1500",
                                "mykit-id", "order-1",
                                "mykit-subtopic", "unpaid",
                                "mykit-ttl", "60",
                                "source", "sh\u00f6p")))
                .push()
                .message();
        assertThat(Base64.getDecoder().decode(message.body())).isEqualTo(body);
        assertThat(message.extras().binary()).isTrue();
        assertThat(message.id()).isEqualTo("order-1");
        assertThat(message.bizKey()).isEqualTo("customer-7");
        assertThat(message.subtopic()).isEqualTo("unpaid");
        assertThat(message.ttlSeconds()).isEqualTo(60);
        assertThat(message.dueTimeMs()).isEqualTo(SENT + 1500);
        assertThat(message.extras().headers()).containsExactly(Map.entry("source", "sh\u00f6p"));
    }

    @Test
    void aRawRecordMayNameItsDueTime() {
        assertThat(raw(Map.of("mykit-topic", "orders", "mykit-due", "" + (NOW + 9)))
                        .dueTimeMs())
                .isEqualTo(NOW + 9);
        assertThat(raw(Map.of("mykit-topic", "orders")).dueTimeMs()).isEqualTo(SENT);
    }

    @Test
    void aClockAheadOfTheServersIsCutAndNoTimestampIsNow() {
        byte[] value = "{\"topic\":\"orders\",\"delay\":10}".getBytes(UTF_8);
        assertThat(form.read(record(null, value, NOW + 60_000, Map.of()))
                        .push()
                        .message()
                        .dueTimeMs())
                .isEqualTo(NOW + 10);
        assertThat(form.read(record(null, value, -1, Map.of())).push().message().dueTimeMs())
                .isEqualTo(NOW + 10);
    }

    @Test
    void theHeadersOfARejectedRecordAreNoPartOfAPush() {
        Map<String, String> headers = Map.of(
                "mykit-topic",
                "orders",
                "mykit-error",
                "INVALID_REQUEST",
                "mykit-reason",
                "r",
                "mykit-origin-offset",
                "4");
        assertThat(raw(headers).extras().headers()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        mykit-topik=orders                                | unknown header mykit-topik; did you mean mykit-topic?
        mykit-topic=orders,Mykit-Delay=5000               | unknown header Mykit-Delay; did you mean mykit-delay?
        MYKIT-TOPIC=orders                                | unknown header MYKIT-TOPIC; did you mean mykit-topic?
        mykit-colour=red                                  | unknown header mykit-colour; known are mykit-topic
        mykit-delay=5                                     | header mykit-topic is missing
        mykit-topic=orders,mykit-delay=5,mykit-due=1800000000001 | delay and triggerAt exclude each other
        mykit-topic=orders,mykit-delay=soon               | header mykit-delay must be an integer in decimal digits
        mykit-topic=orders,mykit-due=1800000000           | looks like seconds
        mykit-topic=orders,mykit-delay=-1                 | delay must not be negative
        mykit-topic=                                      | topic is required
        """)
    void aRawRecordThatIsNoPushIsRefusedWithItsHeader(String headers, String reason) {
        Map<String, String> all = new HashMap<>();
        for (String header : headers.split(",", -1)) {
            all.put(header.substring(0, header.indexOf('=')), header.substring(header.indexOf('=') + 1));
        }
        assertRefused(record(null, new byte[0], SENT, all), ErrorCode.INVALID_REQUEST, reason);
    }

    @Test
    void bytesThatAreNoTextAreRefusedByName() {
        ConsumerRecord<byte[], byte[]> header = record(null, new byte[1], SENT, Map.of("mykit-topic", "orders"));
        header.headers().add("name", "\u00e4".getBytes(ISO_8859_1));
        assertRefused(header, ErrorCode.INVALID_REQUEST, "the header name is not UTF-8 at byte 1");
        assertRefused(
                record("x", new byte[] {-1}, new byte[1], SENT, Map.of("mykit-topic", "orders")),
                ErrorCode.INVALID_REQUEST,
                "the key is not UTF-8");
        ConsumerRecord<byte[], byte[]> twice = record(null, new byte[1], SENT, Map.of("mykit-topic", "orders"));
        twice.headers().add("mykit-topic", "other".getBytes(UTF_8));
        assertRefused(twice, ErrorCode.INVALID_REQUEST, "header mykit-topic is given twice");
    }

    @Test
    void valuesThatAreNoPushAreRefused() {
        assertRefused(record(null, null, SENT, Map.of()), ErrorCode.INVALID_REQUEST, "the record has no value");
        assertRefused(
                record(null, null, SENT, Map.of("mykit-topic", "orders")),
                ErrorCode.INVALID_REQUEST,
                "the record has no value");
        assertRefused(record(null, new byte[0], SENT, Map.of()), ErrorCode.INVALID_REQUEST, "the record is empty");
        assertRefused(
                record(null, new byte[MAX_BODY + 1], SENT, Map.of()),
                ErrorCode.TOO_LARGE,
                "mykit.delay.http.max-body-size");
        for (String text : List.of("{", "[]", "{}", "hello", "{\"topic\":\"a\"} x")) {
            assertRefused(record(null, text.getBytes(UTF_8), SENT, Map.of()), ErrorCode.INVALID_REQUEST, "");
        }
        for (String wait : List.of("0", "4000", "\"1h\"")) {
            assertRefused(
                    record(null, ("{\"topic\":\"a\",\"wait\":" + wait + "}").getBytes(UTF_8), SENT, Map.of()),
                    ErrorCode.INVALID_REQUEST,
                    "wait is a field of POST /push only");
        }
    }

    private DelayMessage json(String text) {
        return form.read(record("any key", text.getBytes(UTF_8), SENT, Map.of("any", "header")))
                .push()
                .message();
    }

    private DelayMessage raw(Map<String, String> headers) {
        return form.read(record(null, new byte[0], SENT, headers)).push().message();
    }

    private void assertRefused(ConsumerRecord<byte[], byte[]> record, ErrorCode code, String reason) {
        assertThatExceptionOfType(DelayException.class)
                .isThrownBy(() -> form.read(record))
                .withMessageContaining(reason)
                .satisfies(refused -> assertThat(refused.code()).isEqualTo(code));
    }

    private static ConsumerRecord<byte[], byte[]> record(
            String key, byte[] value, long timestamp, Map<String, String> headers) {
        return record("", key == null ? null : key.getBytes(UTF_8), value, timestamp, headers);
    }

    private static ConsumerRecord<byte[], byte[]> record(
            String unused, byte[] key, byte[] value, long timestamp, Map<String, String> headers) {
        RecordHeaders all = new RecordHeaders();
        headers.forEach((name, text) -> all.add(name, text.getBytes(UTF_8)));
        return new ConsumerRecord<>(
                "pushes", 3, 77, timestamp, TimestampType.CREATE_TIME, 0, 0, key, value, all, Optional.empty());
    }
}
