package io.mykit.delay.controller.push;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.mykit.delay.access.trace.RequestTrace;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.Failure;
import io.mykit.delay.json.JsonReader;
import io.mykit.delay.queue.producer.PushRules;
import io.mykit.delay.test.message.ExtrasBuilder;
import io.mykit.delay.test.message.MessageBuilder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PushParserTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final String KEY_ALONE =
            "idempotencyKey needs replace and id; without replace, the id alone makes a repeated push safe";
    private static final String KEY_FORM =
            "idempotencyKey must be 1 to 64 characters of printable ASCII without spaces";

    private final PushParser parser = new PushParser(
            new PushRules(
                    () -> "generated",
                    InstantSource.fixed(Instant.ofEpochMilli(NOW)),
                    message -> message.topic().equals("forbidden")
                            ? Optional.of(FieldRules.invalid("the broker forbids this topic"))
                            : Optional.empty()),
            Duration.ofMinutes(1));

    @Test
    void takesTheSampleOfTheReadme() {
        PushRequest request = parse("{\"body\":\"{hello"
                + " world}\",\"delay\":10000,\"id\":\"20\",\"status\":0,\"topic\":\"ces\",\"subtopic\":\"\",ttl:12}");
        assertThat(request.checked().replace()).isFalse();
        assertThat(request.message())
                .isEqualTo(MessageBuilder.withId("20")
                        .topic("ces")
                        .body("{hello world}")
                        .created(NOW)
                        .delay(10_000)
                        .ttl(12)
                        .build());
    }

    @Test
    void keepsTheIdempotencyKey() {
        String key = "!" + "~".repeat(63);
        String json = "{\"topic\":\"t\",\"id\":7,\"replace\":true,\"idempotencyKey\":\"%s\"}";
        assertThat(parse(json.formatted(key)).message().extras().idempotencyKeys())
                .containsExactly(key);
        assertThatThrownBy(() -> parse(json.formatted(key + "x"))).hasMessage(KEY_FORM);
    }

    @Test
    void onlyTopicIsRequired() {
        assertThat(parse("{\"topic\":\"t\"}").message())
                .isEqualTo(MessageBuilder.withId("generated").created(NOW).build());
    }

    @Test
    void nullIsMissing() {
        String nulls = "{\"topic\":\"t\",\"id\":null,\"subtopic\":null,\"bizKey\":null,\"body\":null,\"delay\":null,"
                + "\"triggerAt\":null,\"createTime\":null,\"ttl\":null,\"priority\":null,\"status\":null,"
                + "\"replace\":null,\"buckedName\":null}";
        assertThat(parse(nulls)).isEqualTo(parse("{\"topic\":\"t\"}"));
        assertThat(parse("{\"topic\":\"t\",\"id\":\"\"}").message().id()).isEqualTo("generated");
    }

    @Test
    void takesEveryField() {
        PushRequest request = parse("{\"id\":\"i\",\"topic\":\"t\",\"subtopic\":\"s\",\"bizKey\":\"k\",\"body\":\"b\","
                + "\"delay\":5,\"createTime\":1600000000007,\"ttl\":2147483647,\"priority\":9,\"status\":5,\"replace\":true,"
                + "\"buckedName\":\"bucket_1\"}");
        assertThat(request.checked().replace()).isTrue();
        assertThat(request.message())
                .isEqualTo(MessageBuilder.withId("i")
                        .subtopic("s")
                        .bizKey("k")
                        .body("b")
                        .created(1_600_000_000_007L)
                        .delay(5)
                        .priority(9)
                        .ttl(Integer.MAX_VALUE)
                        .build());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "\"plain\"|plain",
                "{\"a\": [1, 2.50, 12345678901234567890123]}|{\"a\": [1, 2.50, 12345678901234567890123]}",
                "[]|[]",
                "12345678901234567890.000|12345678901234567890.000",
                "true|true",
                "\"\\u0000\\u001f\"|~\u0000\u001f~",
                "\"\\ud83d\\ude00\"|\ud83d\ude00",
            })
    void bodyIsAStringOrTheSourceOfAValue(String source, String body) {
        assertThat(parse("{\"topic\":\"t\",\"body\": " + source + " }")
                        .message()
                        .body())
                .isEqualTo(body);
    }

    @ParameterizedTest
    @CsvSource({"\"30s\",30000", "60000,60000", "\"1m\",60000", "0,0", "null,0"})
    void waitsAsLongAsItSays(String wait, long waitMs) {
        PushRequest request = parse("{\"topic\":\"t\",\"wait\":" + wait + "}");
        assertThat(request.longestWait()).isEqualTo(Duration.ofMillis(waitMs));
        assertThat(request.message()).isEqualTo(parse("{\"topic\":\"t\"}").message());
    }

    @Test
    void triggerAtStandsForDelay() {
        DelayMessage later =
                parse("{\"topic\":\"t\",\"triggerAt\":1700000000500}").message();
        assertThat(later.dueTimeMs()).isEqualTo(NOW + 500);
        assertThat(later.delayMs()).isEqualTo(500);
        DelayMessage past =
                parse("{\"topic\":\"t\",\"triggerAt\":978307200000}").message();
        assertThat(past.dueTimeMs()).isEqualTo(978_307_200_000L);
        assertThat(past.delayMs()).isZero();
    }

    @Test
    void theLastMomentIsAllowedAndTheOneAfterIsNot() {
        long max = MessageLimits.MAX_DUE_TIME_MS;
        long created = 1_600_000_000_000L;
        assertThat(parse("{\"topic\":\"t\",\"createTime\":" + created + ",\"delay\":" + (max - created) + "}")
                        .message()
                        .dueTimeMs())
                .isEqualTo(max);
        assertThatThrownBy(() -> parse(
                        "{\"topic\":\"t\",\"createTime\":" + (created + 1) + ",\"delay\":" + (max - created) + "}"))
                .hasMessage("createTime + delay must not be greater than " + max);
    }

    /** As some clients of 1.x write them. */
    @Test
    void takesNumbersInStringsAndAnIntegerForAnId() {
        assertThat(parse(
                        "{\"topic\":\"t\",\"id\":20,\"delay\":\"1000\",\"createTime\":\"1600000000000\",\"ttl\":\"12\","
                                + "\"priority\":\"3\",\"status\":\"0\"}"))
                .isEqualTo(
                        parse("{\"topic\":\"t\",\"id\":\"20\",\"delay\":1000,\"createTime\":1600000000000,\"ttl\":12,"
                                + "\"priority\":3,\"status\":0}"));
        assertThat(parse("{\"topic\":\"t\",\"triggerAt\":\"1600000000000\"}")
                        .message()
                        .dueTimeMs())
                .isEqualTo(1_600_000_000_000L);
        String digits = "9".repeat(128);
        assertThat(parse("{\"topic\":\"t\",\"id\":" + digits + "}").message().id())
                .isEqualTo(digits);
        assertThatThrownBy(() -> parse("{\"topic\":\"t\",\"id\":9" + digits + "}"))
                .hasMessage("id is longer than 128 characters");
        assertThat(parse("{\"topic\":\"t\",\"id\":-0}").message().id()).isEqualTo("-0");
    }

    @ParameterizedTest
    @CsvSource({
        "delay,'a number of milliseconds, or a text such as 500ms, 10s, 5m or 1h30m'",
        "triggerAt,'epoch milliseconds, or a time such as 2027-01-15T08:00:00Z or 2027-01-15T16:00:00+08:00'",
        "createTime,'epoch milliseconds, or a time such as 2027-01-15T08:00:00Z or 2027-01-15T16:00:00+08:00'",
        "ttl,'a number of seconds, or a text such as 500ms, 10s, 5m or 1h30m'",
        "priority,an integer",
        "status,an integer"
    })
    void aNumberInAStringIsDecimalDigitsOnly(String field, String form) {
        for (String text :
                new String[] {"", " ", " 5", "5 ", "+5", "1e3", "1.0", "0x5", "５", "five", "-", "5\\u0000"}) {
            assertThatThrownBy(() -> parse("{\"topic\":\"t\",\"" + field + "\":\"" + text + "\"}"))
                    .hasMessage(field + " must be " + form);
        }
        assertThatThrownBy(() -> parse("{\"topic\":\"t\",\"" + field + "\":\"-1\"}"))
                .hasMessage(field + " must not be negative");
        assertThatThrownBy(() -> parse("{\"topic\":\"t\",\"" + field + "\":\"" + "9".repeat(40) + "\"}"))
                .hasMessageStartingWith(field + " must be an integer between 0 and ");
    }

    @ParameterizedTest
    @CsvSource({"30m,1800000", "1h30m,5400000", "PT1M,60000", "500ms,500", "7d,604800000"})
    void aDelayMayBeAText(String text, long delayMs) {
        assertThat(parse("{\"topic\":\"t\",\"delay\":\"" + text + "\"}")
                        .message()
                        .delayMs())
                .isEqualTo(delayMs);
    }

    @ParameterizedTest
    @CsvSource({"2020-09-13T12:26:40Z", "2020-09-13T12:26:40.000Z", "2020-09-13T20:26:40+08:00", "1600000000000"})
    void aTimeMayBeAText(String text) {
        DelayMessage message = parse("{\"topic\":\"t\",\"triggerAt\":\"" + text + "\",\"createTime\":\"" + text
                        + "\",\"ttl\":\"2m\"}")
                .message();
        assertThat(message.dueTimeMs()).isEqualTo(1_600_000_000_000L);
        assertThat(message.createTimeMs()).isEqualTo(1_600_000_000_000L);
        assertThat(message.ttlSeconds()).isEqualTo(120);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "delay|PT-1S|must not be negative",
                "delay|99999999999999d|must not be greater than 253402300799999",
                "ttl|500ms|must be whole seconds",
                "ttl|99999999999999d|must not be greater than 2147483647",
                "triggerAt|1969-12-31T00:00:00Z|must not be negative",
                "triggerAt|+999999999-01-01T00:00:00Z|must be epoch milliseconds, or a time",
                "triggerAt|2027-01-15T08:00:00|must be epoch milliseconds, or a time",
            })
    void aTextHasTheBoundsOfANumber(String field, String text, String message) {
        assertThatThrownBy(() -> parse("{\"topic\":\"t\",\"" + field + "\":\"" + text + "\"}"))
                .hasMessageStartingWith(field + " " + message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"triggerAt", "createTime"})
    void aTimeInSecondsIsNoTime(String field) {
        String limit = field + " must be epoch milliseconds, not less than 978307200000 (2001-01-01): ";
        for (String seconds : new String[] {"1", "1700000000", "\"1700000000\"", "978307199999"}) {
            assertThatThrownBy(() -> parse("{\"topic\":\"t\",\"" + field + "\":" + seconds + "}"))
                    .hasMessage(limit + seconds.replace("\"", "") + " looks like seconds");
        }
        assertThatThrownBy(() -> parse("{\"topic\":\"t\",\"" + field + "\":0}"))
                .hasMessage(limit + "0 is no time, leave the field out instead");
        parse("{\"topic\":\"t\",\"" + field + "\":978307200000}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{}|topic is required",
                "{\"topic\":\"\"}|topic is required",
                "{\"topic\":null}|topic is required",
                "{\"topic\":\"  \"}|topic is blank",
                "{\"topic\":7}|topic must be a string",
                "{\"topic\":\"t\",\"id\":1.5}|id must be a string or an integer",
                "{\"topic\":\"t\",\"id\":1e3}|id must be a string or an integer",
                "{\"topic\":\"t\",\"id\":true}|id must be a string or an integer",
                "{\"topic\":\"t\",\"bizKey\":20}|bizKey must be a string",
                "{\"topic\":\"t\",\"id\":\"a \"}|id begins or ends with white space",
                "{\"topic\":\"t\",\"id\":\"\\u3000a\"}|id begins or ends with white space",
                "{\"topic\":\"t\",\"id\":\"a\\u0000b\"}|id contains a control character",
                "{\"topic\":\"t\",\"bizKey\":\"a\\u007f\"}|bizKey contains a control character",
                "{\"topic\":\"t\",\"subtopic\":\"\\u0085\"}|subtopic contains a control character",
                "{\"topic\":\"\\ud800\"}|topic contains an unpaired surrogate",
                "{\"topic\":\"t\",\"body\":\"\\udc00x\"}|body contains an unpaired surrogate",
                "{\"topic\":\"t\",\"delay\":-1}|delay must not be negative",
                "{\"topic\":\"t\",\"delay\":9223372036854775807}|delay must not be greater than 253402300799999",
                "{\"topic\":\"t\",\"delay\":9223372036854775808}|delay must be an integer between 0 and"
                        + " 253402300799999",
                "{\"topic\":\"t\",\"delay\":1e400}|delay must be an integer between 0 and 253402300799999",
                "{\"topic\":\"t\",\"delay\":1e999999999}|delay must be an integer between 0 and 253402300799999",
                "{\"topic\":\"t\",\"delay\":1.5}|delay must be an integer (milliseconds)",
                "{\"topic\":\"t\",\"delay\":true}|delay must be an integer (milliseconds)",
                "{\"topic\":\"t\",\"createTime\":-1}|createTime must not be negative",
                "{\"topic\":\"t\",\"delay\":0,\"triggerAt\":1700000000000}|delay and triggerAt exclude each other",
                "{\"topic\":\"t\",\"triggerAt\":253402300800000}|triggerAt must not be greater than 253402300799999",
                "{\"topic\":\"t\",\"ttl\":2147483648}|ttl must not be greater than 2147483647",
                "{\"topic\":\"t\",\"priority\":10}|priority must not be greater than 9",
                "{\"topic\":\"t\",\"status\":1}|status must be 0 or 5",
                "{\"topic\":\"t\",\"replace\":\"true\"}|replace must be true or false",
                "{\"topic\":\"t\",\"id\":\"a\",\"idempotencyKey\":\"k\"}|" + KEY_ALONE,
                "{\"topic\":\"t\",\"replace\":true,\"idempotencyKey\":\"k\"}|" + KEY_ALONE,
                "{\"topic\":\"t\",\"idempotencyKey\":\"\"}|" + KEY_FORM,
                "{\"topic\":\"t\",\"idempotencyKey\":\"a b\"}|" + KEY_FORM,
                "{\"topic\":\"t\",\"idempotencyKey\":\"é\"}|" + KEY_FORM,
                "{\"topic\":\"t\",\"topic\":\"u\"}|topic is given twice",
                "{\"topic\":\"t\",\"bizkey\":\"u\"}|unknown field bizkey; did you mean bizKey?",
                "{\"topic\":\"t\",\"delya\":1}|unknown field delya; did you mean delay?",
                "{\"topic\":\"forbidden\"}|the broker forbids this topic",
            })
    void namesTheFieldAndTheLimit(String json, String message) {
        Throwable refused = catchThrowable(() -> parse(json));
        Failure failure = ErrorMapper.failure(refused);
        assertThat(failure.message()).isEqualTo(message);
        assertThat(failure.error()).isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    @ParameterizedTest
    @CsvSource({"id,128", "topic,128", "subtopic,250", "bizKey,128"})
    void lengthsAreLimited(String field, int limit) {
        String topic = field.equals("topic") ? "" : "\"topic\":\"t\",";
        parse("{" + topic + "\"" + field + "\":\"" + "é".repeat(limit) + "\"}");
        assertThatThrownBy(() -> parse("{" + topic + "\"" + field + "\":\"" + "x".repeat(limit + 1) + "\"}"))
                .hasMessage(field + " is longer than " + limit + " characters");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "null",
                "1",
                "\"x\"",
                "{\"topic\":\"t\"",
                "{\"topic\":\"t\"}}",
                "{\"topic\":\"t\"} x",
                "{'topic':'t'}",
                "{\"topic\":\"t\"/**/}",
                "{\"topic\":\"t\",}",
                "\uFEFF{\"topic\":\"t\"}",
                " "
            })
    void malformedIsSaidSo(String json) {
        Failure failure = ErrorMapper.failure(catchThrowable(() -> parse(json)));
        assertThat(failure.status()).isEqualTo(400);
        assertThat(failure.message()).startsWith("malformed JSON: ").containsPattern("at line 1, column \\d+");
    }

    @Test
    void takesExtras() {
        DelayMessage message = parse(
                        "{\"topic\":\"t\",\"bodyBase64\":\"AP8\",\"headers\":{\"Trace-Id\":\" v \",a:\"\"},"
                                + "\"retry\":{\"maxAttempts\":0,\"interval\":\"10m\",\"multiplier\":1,\"maxInterval\":\"PT1H\",\"jitter\":0.5,"
                                + "\"gaps\":null},\"ttr\":1e3,\"target\":{\"url\":\"u\"}}")
                .message();
        assertThat(message.body()).as("with padding").isEqualTo("AP8=");
        assertThat(message.bodyBytes()).containsExactly(0, 255);
        assertThat(message.extras())
                .isEqualTo(ExtrasBuilder.extras()
                        .binary(true)
                        .headers(Map.of("Trace-Id", " v ", "a", ""))
                        .retry(new RetryOptions(0, 600_000L, 1.0, 3_600_000L, null, 0.5))
                        .ttr(1000)
                        .target(Map.of("url", "u"))
                        .build());
        assertThat(parse("{\"topic\":\"t\",\"retry\":{\"gaps\":[0,\"5s\",\"30d\"]}}")
                        .message()
                        .extras()
                        .retry()
                        .gapsMs())
                .containsExactly(0L, 5000L, 2_592_000_000L);
    }

    @Test
    void emptyExtrasAreNone() {
        assertThat(parse(
                        "{\"topic\":\"t\",\"headers\":{},\"retry\":{},\"target\":{},\"ttr\":null,\"bodyBase64\":null}"))
                .isEqualTo(parse("{\"topic\":\"t\"}"));
        assertThat(parse("{\"topic\":\"t\",\"headers\":{}}").message().extras()).isSameAs(MessageExtras.NONE);
    }

    /** Equal bytes are the same content, whatever the form in which the producer wrote them. */
    @Test
    void bytesHaveOneForm() {
        for (String base64 : List.of("/w==", "/w", "/x==")) {
            assertThat(parse("{\"topic\":\"t\",\"bodyBase64\":\"" + base64 + "\"}")
                            .message()
                            .body())
                    .isEqualTo("/w==");
        }
    }

    @Test
    void emptyIsSaidSo() {
        assertThatThrownBy(() -> parse("")).hasMessage("the request has no body");
    }

    @Test
    void exponentsInsideTheRangeAreIntegers() {
        assertThat(parse("{\"topic\":\"t\",\"delay\":1e3}").message().delayMs()).isEqualTo(1000);
    }

    @Test
    void anItemsBodyIsMeasuredInBytes() {
        String json = "{\"topic\":\"t\",\"body\":\"ééé\"}";
        assertThat(parser.parseItem(new JsonReader(json.getBytes(UTF_8)), 6, RequestTrace.NONE, null)
                        .message()
                        .body())
                .isEqualTo("ééé");
        Failure failure = ErrorMapper.failure(catchThrowable(
                () -> parser.parseItem(new JsonReader(json.getBytes(UTF_8)), 5, RequestTrace.NONE, null)));
        assertThat(failure.status()).isEqualTo(413);
        assertThat(failure.message()).isEqualTo("body is larger than 5 bytes");
        String bytes = "{\"topic\":\"t\",\"bodyBase64\":\"AAAAAAA=\"}";
        parser.parseItem(new JsonReader(bytes.getBytes(UTF_8)), 5, RequestTrace.NONE, null);
        assertThatThrownBy(() -> parser.parseItem(new JsonReader(bytes.getBytes(UTF_8)), 4, RequestTrace.NONE, null))
                .hasMessage("body is larger than 4 bytes");
    }

    private PushRequest parse(String json) {
        return parser.parse(json.getBytes(UTF_8), RequestTrace.NONE, null);
    }
}
