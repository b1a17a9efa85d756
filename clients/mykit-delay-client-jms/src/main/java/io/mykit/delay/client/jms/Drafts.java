package io.mykit.delay.client.jms;

import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.Queue;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Makes a push of a JMS message, which the channel {@code activemq} turns into the same message again: properties are headers, and the target
 * has their types and the rest. Stateless.
 */
final class Drafts {
    /** That of the server for a business key. */
    private static final int MAX_BIZ_KEY = 128;

    private Drafts() {}

    /** @throws JMSException if the message cannot be kept as it is; it names the part */
    static Draft of(Destination destination, Message message, SendOptions options) throws JMSException {
        if (message.getJMSReplyTo() != null) {
            throw new JMSException("The message has the JMSReplyTo " + message.getJMSReplyTo()
                    + ", and the requester of a delayed message would wait for it: send it without a delay, or put the"
                    + " name of a queue into a property");
        }
        boolean isTopic = isTopic(destination);
        String name = isTopic ? ((Topic) destination).getTopicName() : ((Queue) destination).getQueueName();
        Map<String, String> target = new HashMap<>();
        target.put("destination", isTopic ? "topic" : "queue");
        if (options.deliveryMode() == DeliveryMode.NON_PERSISTENT) {
            target.put("deliveryMode", "non-persistent");
        }
        var builder = io.mykit.delay.client.Message.builder(name).priority(options.priority());
        if (options.timeToLiveMs() > 0) {
            target.put("timeToLive", Long.toString(options.timeToLiveMs()));
            builder.ttl(Duration.ofMillis(options.timeToLiveMs()));
        }
        giveBody(message, builder, target);
        giveHeaders(message, builder, target);
        return Draft.of(name, builder.target(target), options.delayMs());
    }

    private static boolean isTopic(Destination destination) throws JMSException {
        if (destination instanceof TemporaryQueue || destination instanceof TemporaryTopic) {
            throw new InvalidDestinationException("The destination " + destination
                    + " is temporary and may be gone when the message is due: send without a delay, or to a queue or"
                    + " topic that stays");
        }
        if (destination instanceof Queue) {
            return false;
        }
        if (destination instanceof Topic) {
            return true;
        }
        throw new InvalidDestinationException(
                destination == null
                        ? "The destination is null: name a queue or a topic"
                        : "The destination " + destination + " is neither a queue nor a topic");
    }

    private static void giveBody(
            Message message, io.mykit.delay.client.Message.Builder builder, Map<String, String> target)
            throws JMSException {
        if (message instanceof TextMessage text) {
            if (text.getText() == null) {
                target.put("body", "null");
            } else {
                builder.body(text.getText());
            }
        } else if (message instanceof BytesMessage bytes) {
            builder.body(bytes(bytes));
        } else {
            for (Class<?> kind : JmsProxy.interfaces(message.getClass())) {
                // A client may have a Message of its own, such as ActiveMQ, and kinds of its own, such as BlobMessage.
                if (Message.class.isAssignableFrom(kind)
                        && !kind.getSimpleName().equals("Message")) {
                    throw new MessageFormatException("A delayed " + kind.getSimpleName()
                            + " is not possible: mykit-delay takes a TextMessage, a BytesMessage or a Message without"
                            + " a body. Send its content as a text, such as JSON, or as bytes");
                }
            }
            target.put("body", "none");
        }
    }

    /** The bytes of a message, which stays readable or writeable as it was. */
    private static byte[] bytes(BytesMessage message) throws JMSException {
        boolean isWritten = false;
        long length;
        try {
            length = message.getBodyLength();
        } catch (MessageNotReadableException beingWritten) {
            isWritten = true;
            message.reset();
            length = message.getBodyLength();
        }
        byte[] bytes = new byte[Math.toIntExact(length)];
        message.reset();
        if (length > 0) {
            int unused = message.readBytes(bytes);
        }
        if (isWritten) {
            message.clearBody();
            message.writeBytes(bytes);
        } else {
            message.reset();
        }
        return bytes;
    }

    private static void giveHeaders(
            Message message, io.mykit.delay.client.Message.Builder builder, Map<String, String> target)
            throws JMSException {
        Properties properties = Properties.of(message);
        Map<String, String> headers = new HashMap<>(properties.texts());
        String type = message.getJMSType();
        if (type != null) {
            headers.put("JMSType", type);
        }
        String correlationId = message.getJMSCorrelationID();
        if (correlationId != null) {
            headers.put("JMSCorrelationID", correlationId);
            if (isBizKey(correlationId)) {
                builder.bizKey(correlationId);
            }
        }
        if (!properties.types().isEmpty()) {
            target.put("types", properties.types());
        }
        builder.headers(headers);
    }

    /** Most are. So a program can cancel by them, and people can search for them. */
    private static boolean isBizKey(String correlationId) {
        return !correlationId.isEmpty()
                && correlationId.length() <= MAX_BIZ_KEY
                && correlationId.strip().equals(correlationId)
                && correlationId.chars().noneMatch(Character::isISOControl);
    }
}
