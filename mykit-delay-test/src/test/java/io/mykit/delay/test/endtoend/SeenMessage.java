package io.mykit.delay.test.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.TextMessage;
import java.util.Enumeration;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * All that a consumer sees of a JMS message, save what differs between any two sends: JMSMessageID and the times.
 *
 * @param body its text; of more than 100 characters, or of bytes, length and checksum
 * @param properties with their types
 * @param timeToLiveMs JMSExpiration minus JMSTimestamp
 */
record SeenMessage(
        String kind,
        String body,
        Map<String, Object> properties,
        String destination,
        String type,
        String correlationId,
        int priority,
        int deliveryMode,
        boolean hasReplyTo,
        boolean isRedelivered,
        long timeToLiveMs) {
    private static final int SHOWN = 100;

    static SeenMessage of(Message message) throws JMSException {
        Map<String, Object> properties = new TreeMap<>();
        Enumeration<?> names = message.getPropertyNames();
        while (names.hasMoreElements()) {
            String name = (String) names.nextElement();
            properties.put(name, message.getObjectProperty(name));
        }
        String kind = message instanceof TextMessage ? "text" : message instanceof BytesMessage ? "bytes" : "no body";
        return new SeenMessage(
                kind,
                body(message),
                properties,
                message.getJMSDestination().getClass().getSimpleName(),
                message.getJMSType(),
                message.getJMSCorrelationID(),
                message.getJMSPriority(),
                message.getJMSDeliveryMode(),
                message.getJMSReplyTo() != null,
                message.getJMSRedelivered(),
                message.getJMSExpiration() == 0 ? 0 : message.getJMSExpiration() - message.getJMSTimestamp());
    }

    private static String body(Message message) throws JMSException {
        if (message instanceof TextMessage text) {
            String body = text.getText();
            return body == null || body.length() <= SHOWN ? body : sum(body.getBytes(UTF_8));
        }
        if (message instanceof BytesMessage bytes) {
            byte[] body = new byte[(int) bytes.getBodyLength()];
            int unused = bytes.readBytes(body);
            return sum(body);
        }
        return null;
    }

    private static String sum(byte[] body) {
        CRC32C sum = new CRC32C();
        sum.update(body);
        return body.length + " bytes, " + sum.getValue();
    }
}
