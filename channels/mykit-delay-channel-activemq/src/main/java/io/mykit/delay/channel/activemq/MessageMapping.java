package io.mykit.delay.channel.activemq;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.channel.activemq.ActiveMqSettings.Destination;
import io.mykit.delay.channel.activemq.ActiveMqSettings.Format;
import io.mykit.delay.common.message.DelayMessage;
import jakarta.jms.JMSException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.activemq.command.ActiveMQBytesMessage;
import org.apache.activemq.command.ActiveMQDestination;
import org.apache.activemq.command.ActiveMQMessage;
import org.apache.activemq.command.ActiveMQQueue;
import org.apache.activemq.command.ActiveMQTextMessage;
import org.apache.activemq.command.ActiveMQTopic;

/**
 * A message as ActiveMQ gets it: a text message, or a bytes message if the body is bytes, with the properties {@code id},
 * {@code subtopic}, {@code bizKey} (strings, present also when empty) and {@code dueTime} (long, epoch milliseconds);
 * JMSCorrelationID is the id. Each header is a string property, see {@link HeaderNames}. A push with a target is a {@link FormedMessage}
 * instead.
 *
 * @param kind of the destination, unless the push names another one
 * @param format whether the content is the body, or the JSON of the whole message, which is always a text
 */
record MessageMapping(Destination kind, Format format) {
    static final String ID = "id";
    static final String SUBTOPIC = "subtopic";
    static final String BIZ_KEY = "bizKey";
    static final String DUE_TIME = "dueTime";

    /** JMS has 0 to 4 for gradations of normal and 5 to 9 for gradations of expedited. */
    private static final int NORMAL_PRIORITY = 4;

    /**
     * An upper bound of the bytes of property names, flags, and the ids of connection, producer, message and transaction.
     */
    private static final long FRAME_BYTES = 768;

    /** The bytes of the lengths and the type of a property. */
    private static final long HEADER_FRAME_BYTES = 8;

    Outgoing outgoing(DelayMessage message) throws JMSException {
        if (!hasForm(message)) {
            return new Outgoing(destination(kind, message.topic()), toMessage(message), true, priority(message), 0);
        }
        MessageForm form = MessageForm.of(message.extras().target());
        Destination wanted = form.destination() == null ? kind : form.destination();
        return new Outgoing(
                destination(wanted, message.topic()),
                FormedMessage.of(message, form),
                form.isPersistent(),
                message.priority(),
                form.timeToLiveMs());
    }

    private static ActiveMQDestination destination(Destination kind, String topic) {
        return kind == Destination.QUEUE ? new ActiveMQQueue(topic) : new ActiveMQTopic(topic);
    }

    /** Whether the push tells the form of the message, see {@link MessageForm}. */
    private static boolean hasForm(DelayMessage message) {
        return !message.extras().target().isEmpty();
    }

    ActiveMQMessage toMessage(DelayMessage message) throws JMSException {
        ActiveMQMessage mapped = content(message);
        Map<String, Object> properties = properties(message);
        // Only the copy of a dead letter has fields among its headers.
        FormedMessage.moveFields(properties, mapped);
        mapped.setJMSCorrelationID(message.id());
        mapped.setMarshalledProperties(WireProperties.of(properties));
        return mapped;
    }

    private ActiveMQMessage content(DelayMessage message) throws JMSException {
        if (hasBytes(message)) {
            ActiveMQBytesMessage bytes = new ActiveMQBytesMessage();
            bytes.writeBytes(message.bodyBytes());
            return bytes;
        }
        ActiveMQTextMessage text = new ActiveMQTextMessage();
        text.setText(text(message));
        return text;
    }

    private static Map<String, Object> properties(DelayMessage message) {
        Map<String, Object> properties = new HashMap<>();
        message.extras().headers().forEach((name, value) -> properties.put(HeaderNames.property(name), value));
        properties.put(ID, message.id());
        properties.put(SUBTOPIC, message.subtopic());
        properties.put(BIZ_KEY, message.bizKey());
        properties.put(DUE_TIME, message.firstDueMs());
        return properties;
    }

    private boolean hasBytes(DelayMessage message) {
        return !isJob(message) && message.extras().binary();
    }

    private String text(DelayMessage message) {
        return isJob(message) ? JobJson.of(message) : message.body();
    }

    private boolean isJob(DelayMessage message) {
        return format == Format.JOB && !hasForm(message);
    }

    /**
     * Priority 0 of the bridge means "no wish". It must not put a message behind those of other producers, whose default is
     * 4. So 0 to 4 become 4, and only higher priorities overtake.
     */
    static int priority(DelayMessage message) {
        return Math.max(message.priority(), NORMAL_PRIORITY);
    }

    /** The size of the message on the wire, in bytes, rounded up by some hundred. */
    long frameBytes(DelayMessage message) {
        long repeated = 2L * utf8(message.id()) + utf8(message.topic());
        long content = hasBytes(message) ? message.body().length() : utf8(text(message));
        return content + repeated + utf8(message.subtopic()) + utf8(message.bizKey()) + headers(message) + FRAME_BYTES;
    }

    private static long headers(DelayMessage message) {
        long bytes = 0;
        for (Map.Entry<String, String> header : message.extras().headers().entrySet()) {
            bytes += utf8(header.getKey()) + utf8(header.getValue()) + HEADER_FRAME_BYTES;
        }
        return bytes;
    }

    private static int utf8(String text) {
        return text.getBytes(UTF_8).length;
    }

    /**
     * The reason why ActiveMQ would not send this message to a destination of exactly this name; empty if there is none.
     */
    static Optional<String> objection(DelayMessage message) {
        String topic = message.topic();
        if (topic.isBlank() || !topic.equals(topic.trim())) {
            return Optional.of("ActiveMQ strips spaces around the names of destinations");
        }
        for (char special : new char[] {',', '*', '>', '?'}) {
            if (topic.indexOf(special) >= 0) {
                return Optional.of("an ActiveMQ destination's name cannot contain " + special
                        + " (it separates names, matches any or begins options)");
            }
        }
        if (topic.startsWith("ActiveMQ.Advisory.") || topic.startsWith("ActiveMQ.Scheduler.")) {
            return Optional.of("ActiveMQ reserves the destination " + topic + " for its own use");
        }
        return hasForm(message)
                ? FormedMessage.objection(message)
                : HeaderNames.objection(message.extras().headers().keySet());
    }
}
