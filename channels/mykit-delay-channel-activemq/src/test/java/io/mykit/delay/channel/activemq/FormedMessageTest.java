package io.mykit.delay.channel.activemq;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.activemq.ActiveMqSettings.Destination;
import io.mykit.delay.channel.activemq.ActiveMqSettings.Format;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.test.message.ExtrasBuilder;
import io.mykit.delay.test.message.MessageBuilder;
import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.TextMessage;
import java.util.Collections;
import java.util.Map;
import org.apache.activemq.command.ActiveMQMessage;
import org.apache.activemq.command.ActiveMQQueue;
import org.apache.activemq.command.ActiveMQTopic;
import org.apache.activemq.command.MessageId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormedMessageTest {
    private static final MessageMapping MAPPING = new MessageMapping(Destination.QUEUE, Format.JOB);

    @Test
    void headersArePropertiesOfTheirTypesAndTheOnlyOnes() throws Exception {
        DelayMessage message = message(
                "body",
                false,
                Map.of(
                        "flag",
                        "true",
                        "b",
                        "-1",
                        "s",
                        "2",
                        "i",
                        "3",
                        "l",
                        "4",
                        "f",
                        "0.5",
                        "d",
                        "1.5",
                        "text",
                        " \n\u4e2d",
                        "none",
                        ""),
                Map.of("types", "flag:boolean,b:byte,s:short,i:int,l:long,f:float,d:double,text:string,none:null"));
        ActiveMQMessage formed = MAPPING.outgoing(message).message();
        assertThat(formed.getProperties())
                .containsEntry("flag", true)
                .containsEntry("b", (byte) -1)
                .containsEntry("s", (short) 2)
                .containsEntry("i", 3)
                .containsEntry("l", 4L)
                .containsEntry("f", 0.5f)
                .containsEntry("d", 1.5)
                .containsEntry("none", null)
                .hasSize(9);
        assertThat(formed.getStringProperty("text")).isEqualTo(" \n\u4e2d");
        assertThat(((TextMessage) formed).getText())
                .as("also with the format job")
                .isEqualTo("body");
    }

    @Test
    void fieldsOfJmsAreFieldsAndNoProperties() throws Exception {
        DelayMessage message = message(
                "AP8=",
                true,
                Map.of("JMSCorrelationID", "", "JMSType", "cancel", "JMSXGroupID", "g", "JMSXGroupSeq", "7"),
                Map.of(
                        "types",
                        "JMSXGroupSeq:int",
                        "destination",
                        "topic",
                        "deliveryMode",
                        "non-persistent",
                        "timeToLive",
                        "60000"));
        Outgoing outgoing = MAPPING.outgoing(message);
        ActiveMQMessage formed = outgoing.message();
        assertThat(formed.getJMSCorrelationID()).isEmpty();
        assertThat(formed.getJMSType()).isEqualTo("cancel");
        assertThat(formed.getStringProperty("JMSXGroupID")).isEqualTo("g");
        assertThat(formed.getIntProperty("JMSXGroupSeq")).isEqualTo(7);
        assertThat(formed.getProperties()).isEmpty();
        assertThat(outgoing.destination()).isEqualTo(new ActiveMQTopic("t"));
        assertThat(outgoing.deliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(outgoing.timeToLiveMs()).isEqualTo(60_000);
        assertThat(outgoing.priority()).as("exactly").isEqualTo(2);
        BytesMessage bytes = (BytesMessage) formed;
        bytes.reset();
        assertThat(bytes.getBodyLength()).isEqualTo(2);
    }

    @Test
    void theIdOfThePushIsTheIdOfTheMessage() throws Exception {
        for (String body : new String[] {"null", "none"}) {
            ActiveMQMessage formed = MAPPING.outgoing(message("", false, Map.of(), Map.of("body", body)))
                    .message();
            formed.setMessageId(new MessageId("ID:host-1:1:1:1", 1));
            assertThat(formed.getMessageId().copy().toString()).isEqualTo("ID:1");
            assertThat(formed.copy()).isInstanceOf(ActiveMQMessage.class);
            assertThat(formed instanceof TextMessage text ? "null: " + text.getText() : "none: null")
                    .isEqualTo(body + ": null");
        }
    }

    @Test
    void withoutADestinationItGoesToThatOfTheChannel() throws Exception {
        Outgoing outgoing = MAPPING.outgoing(message("x", false, Map.of(), Map.of("deliveryMode", "persistent")));
        assertThat(outgoing.destination()).isEqualTo(new ActiveMQQueue("t"));
        assertThat(outgoing.deliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "destination | queues | target.destination must be queue or topic",
                "body | text | target.body must be null or none",
                "body | none | target.body excludes body and bodyBase64",
                "deliveryMode | 1 | target.deliveryMode must be persistent or non-persistent",
                "timeToLive | -1 | target.timeToLive must be a number of milliseconds",
                "url | x | target.url is unknown; the channel activemq knows destination, body, types, deliveryMode,"
                        + " timeToLive",
                "types | n | target.types must look like count:int,vip:boolean; the types are [boolean, byte, short,"
                        + " int, long, float, double, string, null]",
                "types | n:integer | target.types must look like count:int,vip:boolean; the types are [boolean, byte,"
                        + " short, int, long, float, double, string, null]",
                "types | n:int,n:int | target.types names n more than once",
                "types | m:int | target.types names m, and headers has no such entry",
                "types | n:int | headers.n is not of the type int of target.types",
                "types | n:boolean | headers.n is not of the type boolean of target.types",
                "types | n:null | headers.n is not of the type null of target.types"
            })
    void objectsToTargetsByName(String name, String value, String reason) {
        assertThat(MessageMapping.objection(message("x", false, Map.of("n", "x"), Map.of(name, value))))
                .contains(reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "JMSReplyTo | headers.JMSReplyTo is reserved: it means something to ActiveMQ",
                "AMQ_SCHEDULED_DELAY | headers.AMQ_SCHEDULED_DELAY is reserved: it means something to ActiveMQ",
                "JMSXGroupSeq | headers.JMSXGroupSeq must have the type int in target.types"
            })
    void objectsToHeadersThatAreNoProperties(String name, String reason) {
        assertThat(MessageMapping.objection(message("x", false, Map.of(name, "1"), Map.of("destination", "queue"))))
                .contains(reason);
    }

    @Test
    void anAcceptedTargetHasNoObjection() {
        assertThat(MessageMapping.objection(message(
                        "x",
                        false,
                        Map.of("id", "1", "a-b", "2", "JMSType", "x"),
                        Collections.singletonMap("types", "id:long"))))
                .isEmpty();
    }

    private static DelayMessage message(
            String body, boolean binary, Map<String, String> headers, Map<String, String> target) {
        return MessageBuilder.withId("1")
                .topic("t")
                .body(body)
                .priority(2)
                .build()
                .withExtras(ExtrasBuilder.extras()
                        .binary(binary)
                        .headers(headers)
                        .target(target)
                        .build());
    }
}
