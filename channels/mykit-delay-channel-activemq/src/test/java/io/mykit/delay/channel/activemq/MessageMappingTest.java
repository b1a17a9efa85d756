package io.mykit.delay.channel.activemq;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.activemq.ActiveMqSettings.Destination;
import io.mykit.delay.channel.activemq.ActiveMqSettings.Format;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.test.message.ExtrasBuilder;
import io.mykit.delay.test.message.MessageBuilder;
import jakarta.jms.BytesMessage;
import jakarta.jms.TextMessage;
import java.util.List;
import java.util.Map;
import org.apache.activemq.command.ActiveMQMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageMappingTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                " a",
                "a ",
                "a,b",
                "a.*",
                "a.>",
                "a?consumer.exclusive=true",
                "ActiveMQ.Advisory.Connection",
                "ActiveMQ.Scheduler.Management"
            })
    void objectsToDestinations(String topic) {
        assertThat(MessageMapping.objection(message(topic, 0))).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ces", "a.b.c", "queue://a", "täg 😀", "a/b", "VirtualTopic.orders", "ActiveMQ.DLQ"})
    void takesOthersAsTheyAre(String topic) throws Exception {
        assertThat(MessageMapping.objection(message(topic, 0))).isEmpty();
        assertThat(new MessageMapping(Destination.QUEUE, Format.BODY)
                        .outgoing(message(topic, 0))
                        .destination()
                        .getPhysicalName())
                .isEqualTo(topic);
    }

    @ParameterizedTest
    @CsvSource({"0,4", "1,4", "4,4", "5,5", "9,9"})
    void onlyExpeditedPrioritiesDiffer(int ours, int theirs) {
        assertThat(MessageMapping.priority(message("t", ours))).isEqualTo(theirs);
    }

    @Test
    void headersArePropertiesAndBytesAreABytesMessage() throws Exception {
        DelayMessage message = withHeaders(
                        true,
                        Map.of(
                                "trace-id",
                                "\u4e2d",
                                "a.b",
                                "",
                                "1st",
                                "x",
                                "userId",
                                "1",
                                "userid",
                                "2",
                                "a $\u4e2d",
                                "3"))
                .dueAt(5)
                .retriedAt(99);
        ActiveMQMessage mapped = new MessageMapping(Destination.QUEUE, Format.BODY).toMessage(message);
        assertThat(mapped.getStringProperty("trace_id")).isEqualTo("\u4e2d");
        assertThat(mapped.getStringProperty("a_b")).isEmpty();
        assertThat(mapped.getStringProperty("_1st")).isEqualTo("x");
        assertThat(mapped.getStringProperty("userId")).isEqualTo("1");
        assertThat(mapped.getStringProperty("userid")).isEqualTo("2");
        assertThat(mapped.getStringProperty("a_$\u4e2d")).isEqualTo("3");
        assertThat(mapped.getStringProperty("id")).isEqualTo("1");
        assertThat(mapped.getLongProperty("dueTime")).as("of the producer").isEqualTo(5);
        BytesMessage bytes = (BytesMessage) mapped;
        bytes.reset();
        byte[] content = new byte[(int) bytes.getBodyLength()];
        bytes.readBytes(content);
        assertThat(content).containsExactly(0, 255, 7);
    }

    @Test
    void theFormatJobIsATextAlsoForBytes() throws Exception {
        ActiveMQMessage mapped =
                new MessageMapping(Destination.QUEUE, Format.JOB).toMessage(withHeaders(true, Map.of("a", "b")));
        assertThat(((TextMessage) mapped).getText()).contains("\"body\":\"AP8H\"");
        assertThat(mapped.getStringProperty("a")).isEqualTo("b");
    }

    @Test
    void objectsToHeadersThatCannotBePropertiesSideBySide() {
        assertThat(MessageMapping.objection(withHeaders(false, Map.of("a-c", "", "a.b", "", "duetime", ""))))
                .isEmpty();
        assertThat(MessageMapping.objection(withHeaders(false, Map.of("id", "7"))))
                .contains("headers.id is reserved: ActiveMQ messages have a property id");
        for (String brokers : List.of("JMSXGroupID", "AMQ_SCHEDULED_DELAY")) {
            assertThat(MessageMapping.objection(withHeaders(false, Map.of(brokers, "7"))))
                    .contains("headers." + brokers + " is reserved: it means something to ActiveMQ");
        }
        assertThat(MessageMapping.objection(withHeaders(false, Map.of("a-b", "", "a_b", ""))))
                .contains("headers.a-b and headers.a_b exclude each other: both become the ActiveMQ property a_b");
    }

    @Test
    void theCopyOfADeadLetterOfAJmsProgramHasWhatTheChannelAdds() throws Exception {
        DelayMessage copy = withHeaders(
                false,
                Map.of(
                        "JMSCorrelationID", "order 7",
                        "JMSType", "timeout",
                        "JMSXGroupID", "orders",
                        "JMSXGroupSeq", "3",
                        "JMS_own", "1",
                        "id", "mine",
                        "userId", "8",
                        "mykit-delay-dead-id", "7"));
        assertThat(MessageMapping.objection(copy)).isEmpty();
        ActiveMQMessage mapped = new MessageMapping(Destination.QUEUE, Format.BODY).toMessage(copy);
        assertThat(mapped.getJMSCorrelationID()).isEqualTo(copy.id());
        assertThat(mapped.getJMSType()).isEqualTo("timeout");
        assertThat(mapped.getGroupID()).isEqualTo("orders");
        assertThat(mapped.getStringProperty("id")).isEqualTo(copy.id());
        assertThat(mapped.getStringProperty("userId")).isEqualTo("8");
        assertThat(mapped.getStringProperty("JMS_own")).isEqualTo("1");
        assertThat(mapped.getStringProperty("mykit_delay_dead_id")).isEqualTo("7");
        assertThat(mapped.getProperties()).doesNotContainKeys("JMSCorrelationID", "JMSType", "JMSXGroupSeq");
        assertThat(MessageMapping.objection(
                        withHeaders(false, Map.of("mykit-delay-dead-id", "7", "AMQ_SCHEDULED_DELAY", "1"))))
                .isPresent();
    }

    @Test
    void theFrameHasPlaceForHeadersAndBytes() {
        MessageMapping mapping = new MessageMapping(Destination.QUEUE, Format.BODY);
        long plain = mapping.frameBytes(withHeaders(false, Map.of()));
        assertThat(mapping.frameBytes(withHeaders(true, Map.of("name", "\u4e2d".repeat(1000)))))
                .isGreaterThan(plain + 3000);
    }

    private static DelayMessage withHeaders(boolean binary, Map<String, String> headers) {
        return message("t", 0)
                .withBody("AP8H")
                .withExtras(
                        ExtrasBuilder.extras().binary(binary).headers(headers).build());
    }

    private static DelayMessage message(String topic, int priority) {
        return MessageBuilder.withId("1")
                .topic(topic)
                .body("x")
                .priority(priority)
                .build();
    }
}
