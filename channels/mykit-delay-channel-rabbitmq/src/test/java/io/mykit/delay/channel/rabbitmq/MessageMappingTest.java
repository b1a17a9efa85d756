package io.mykit.delay.channel.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.RetryOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageMappingTest {
    private static final long DUE_MS = 1_900_000_000_123L;

    @Test
    void everyFieldIsAProperty() {
        BasicProperties properties = MessageMapping.properties(message("id-1", "sub", "biz", 7));

        assertThat(properties.getMessageId()).isEqualTo("id-1");
        assertThat(properties.getType()).isEqualTo("sub");
        assertThat(properties.getCorrelationId()).isEqualTo("biz");
        assertThat(properties.getTimestamp().toInstant()).isEqualTo(Instant.ofEpochMilli(DUE_MS));
        assertThat(properties.getPriority()).isEqualTo(7);
        assertThat(properties.getDeliveryMode()).isEqualTo(2);
        assertThat(properties.getContentType()).isEqualTo("text/plain; charset=utf-8");
        assertThat(properties.getHeaders())
                .isEqualTo(
                        Map.of("id", "id-1", "topic", "orders", "subtopic", "sub", "bizKey", "biz", "dueTime", DUE_MS));
    }

    @Test
    void anEmptyOrLongFieldIsInTheHeadersAlone() {
        String words = "語".repeat(86);
        BasicProperties properties = MessageMapping.properties(message(words, "", "", 0));

        assertThat(properties.getMessageId()).isNull();
        assertThat(properties.getType()).isNull();
        assertThat(properties.getCorrelationId()).isNull();
        assertThat(properties.getHeaders()).containsEntry("id", words).containsEntry("subtopic", "");
        assertThat(MessageMapping.properties(message("語".repeat(85), "", "", 0)).getMessageId())
                .hasSize(85);
    }

    @Test
    void headersGoAlongAndMayNameTheContentType() {
        DelayMessage message = message("1", "", "", 0)
                .withExtras(extras(true, Map.of("Content-Type", "application/x-protobuf", "trace-id", "中")));

        BasicProperties properties = MessageMapping.properties(message);
        assertThat(properties.getContentType()).isEqualTo("application/x-protobuf");
        assertThat(properties.getHeaders()).containsEntry("trace-id", "中");
        assertThat(MessageMapping.properties(message.withExtras(extras(true, Map.of())))
                        .getContentType())
                .isEqualTo("application/octet-stream");
        assertThat(MessageMapping.properties(message.withBody("[1]")).getContentType())
                .isEqualTo("application/x-protobuf");
        assertThat(MessageMapping.properties(message("1", "", "", 0).withBody("{}"))
                        .getContentType())
                .isEqualTo("application/json");
    }

    @Test
    void theDueTimeIsThatOfThePush() {
        DelayMessage retried = message("1", "", "", 0).retriedAt(DUE_MS + 60_000);
        assertThat(MessageMapping.properties(retried).getTimestamp().toInstant())
                .isEqualTo(Instant.ofEpochMilli(DUE_MS));
        assertThat(MessageMapping.properties(retried).getHeaders()).containsEntry("dueTime", DUE_MS);
    }

    @Test
    void exchangeAndKeyFollowTheTopic() {
        MessageMapping mapping = mapping(Map.of(
                "routing-key", "{topic}.{subtopic}", "topics.orders.exchange", "events", "topics.t.routing-key", "x"));
        assertThat(mapping.exchange("orders")).isEqualTo("events");
        assertThat(mapping.exchange("others")).isEmpty();
        assertThat(mapping.routingKey(message("1", "sub", "", 0))).isEqualTo("orders.sub");
    }

    @Test
    void aRoutingKeyThatIsTooLongIsObjectedTo() {
        MessageMapping mapping = mapping(Map.of("routing-key", "{topic}.{subtopic}"));
        assertThat(mapping.objection(message("1", "s".repeat(248), "", 0))).isEmpty();
        assertThat(mapping.objection(message("1", "s".repeat(249), "", 0)))
                .contains("a routing key of RabbitMQ has at most 255 bytes of UTF-8; that of this message has 256");
        assertThat(mapping.objection(message("1", "語".repeat(83), "", 0))).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "topic", "subtopic", "bizKey", "dueTime"})
    void aHeaderWithANameOfOursIsObjectedTo(String name) {
        DelayMessage message = message("1", "", "", 0).withExtras(extras(false, Map.of(name, "x")));
        assertThat(mapping(Map.of()).objection(message))
                .contains("headers." + name + " is reserved: RabbitMQ messages have a header " + name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CC", "BCC"})
    void aHeaderThatTheBrokerReadsIsObjectedTo(String name) {
        DelayMessage message = message("1", "", "", 0);
        assertThat(mapping(Map.of()).objection(message.withExtras(extras(false, Map.of(name, "x")))))
                .contains("headers." + name + " is reserved: RabbitMQ reads routing keys from a header " + name);
        String small = name.toLowerCase(Locale.ROOT);
        assertThat(mapping(Map.of()).objection(message.withExtras(extras(false, Map.of(small, "x")))))
                .isEmpty();
    }

    @Test
    void aHeaderWhoseNameIsTooLongIsObjectedTo() {
        DelayMessage message = message("1", "", "", 0);
        assertThat(mapping(Map.of()).objection(message.withExtras(extras(false, Map.of("語".repeat(85), "x")))))
                .isEmpty();
        assertThat(mapping(Map.of()).objection(message.withExtras(extras(false, Map.of("語".repeat(86), "x")))))
                .get()
                .asString()
                .startsWith("headers has a name of more than 255 bytes");
    }

    private static MessageMapping mapping(Map<String, String> given) {
        RabbitMqSettings settings = new RabbitMqSettings(
                ChannelSettings.of(RabbitMqSettings.CHANNEL, RabbitMqSettings.keys(), given, Duration.ofSeconds(1)));
        return new MessageMapping(settings.exchanges(), settings.routingKeys());
    }

    private static MessageExtras extras(boolean binary, Map<String, String> headers) {
        return new MessageExtras(binary, headers, RetryOptions.NONE, 0, Map.of(), 0);
    }

    private static DelayMessage message(String id, String subtopic, String bizKey, int priority) {
        return new DelayMessage(id, "orders", subtopic, bizKey, "b", 0, 0, DUE_MS, priority, 0);
    }
}
