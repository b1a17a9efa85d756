package io.mykit.delay.client.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.client.json.JsonObject;
import io.mykit.delay.client.json.JsonReader;
import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.Base64;
import org.apache.activemq.command.ActiveMQBytesMessage;
import org.apache.activemq.command.ActiveMQMessage;
import org.apache.activemq.command.ActiveMQQueue;
import org.apache.activemq.command.ActiveMQTextMessage;
import org.apache.activemq.command.ActiveMQTopic;
import org.junit.jupiter.api.Test;

/** The pushes of JMS messages. The integration tests have a broker, and the refusals. */
class DraftsTest {
    private static final SendOptions PLAIN = new SendOptions(DeliveryMode.PERSISTENT, 4, 0, 60_000);

    @Test
    void aTextWithItsPropertiesAndFields() throws JMSException {
        ActiveMQTextMessage message = new ActiveMQTextMessage();
        message.setText("order");
        message.setIntProperty("count", 5);
        message.setStringProperty("Source", "shop");
        message.setLongProperty("AMQ_SCHEDULED_DELAY", 7);
        message.setIntProperty("JMSXDeliveryCount", 3);
        message.setJMSType("unpaid");
        message.setJMSCorrelationID("order-7");
        JsonObject push = push(Drafts.of(new ActiveMQQueue("orders"), message, PLAIN));
        assertThat(push.text("topic")).isEqualTo("orders");
        assertThat(push.text("body")).isEqualTo("order");
        assertThat(push.text("bizKey")).isEqualTo("order-7");
        assertThat(push.integer("priority")).isEqualTo(4);
        assertThat(push.integer("delay")).isBetween(1L, 60_000L);
        assertThat(push.texts("headers"))
                .containsEntry("count", "5")
                .containsEntry("Source", "shop")
                .containsEntry("JMSType", "unpaid")
                .containsEntry("JMSCorrelationID", "order-7")
                .hasSize(4);
        assertThat(push.texts("target"))
                .containsEntry("types", "count:int")
                .containsEntry("destination", "queue")
                .hasSize(2);
    }

    @Test
    void theOptionsOfTheSend() throws JMSException {
        SendOptions options = new SendOptions(DeliveryMode.NON_PERSISTENT, 9, 1_500, 60_000);
        JsonObject push = push(Drafts.of(new ActiveMQTopic("news"), new ActiveMQMessage(), options));
        assertThat(push.integer("priority")).isEqualTo(9);
        assertThat(push.integer("ttl")).as("whole seconds").isEqualTo(2);
        assertThat(push.texts("target"))
                .containsEntry("destination", "topic")
                .containsEntry("deliveryMode", "non-persistent")
                .containsEntry("timeToLive", "1500")
                .containsEntry("body", "none");
        assertThat(push(Drafts.of(new ActiveMQQueue("q"), new ActiveMQTextMessage(), PLAIN))
                        .texts("target"))
                .containsEntry("body", "null");
    }

    /** A correlation id that is no business key is a header all the same. */
    @Test
    void anOddCorrelationIdIsNoBusinessKey() throws JMSException {
        for (String id : new String[] {"", " x", "x\n", "x".repeat(129)}) {
            Message message = new ActiveMQTextMessage();
            message.setJMSCorrelationID(id);
            JsonObject push = push(Drafts.of(new ActiveMQQueue("q"), message, PLAIN));
            assertThat(push.optionalText("bizKey")).isEmpty();
            assertThat(push.texts("headers")).containsEntry("JMSCorrelationID", id);
        }
    }

    @Test
    void bytesStayReadableOrWriteableAsTheyWere() throws JMSException {
        BytesMessage written = new ActiveMQBytesMessage();
        written.writeBytes(new byte[] {1, 2});
        assertThat(bytes(written)).containsExactly(1, 2);
        written.writeByte((byte) 3);
        assertThat(bytes(written)).containsExactly(1, 2, 3);
        written.reset();
        assertThat(written.readByte()).isEqualTo((byte) 1);
        assertThat(bytes(written)).as("from the begin").containsExactly(1, 2, 3);
        assertThat(written.readByte()).isEqualTo((byte) 1);
    }

    private static byte[] bytes(BytesMessage message) throws JMSException {
        return Base64.getDecoder()
                .decode(push(Drafts.of(new ActiveMQQueue("q"), message, PLAIN)).text("bodyBase64"));
    }

    /** A draft of a transaction is pushed later: its delay counts from the send, and its id stays. */
    @Test
    void theDelayCountsFromTheSend() {
        Draft draft = new Draft(
                "id-1", "q", io.mykit.delay.client.Message.builder("q"), 60_000, System.nanoTime() - 50_000_000_000L);
        assertThat(draft.message().id()).isEqualTo("id-1");
        assertThat(push(draft).integer("delay")).isBetween(1L, 10_000L);
        Draft overdue = new Draft(
                "id-1", "q", io.mykit.delay.client.Message.builder("q"), 60_000, System.nanoTime() - 70_000_000_000L);
        assertThat(push(overdue).integer("delay")).isZero();
    }

    private static JsonObject push(Draft draft) {
        return JsonObject.of(JsonReader.read(draft.message().toJson()));
    }
}
