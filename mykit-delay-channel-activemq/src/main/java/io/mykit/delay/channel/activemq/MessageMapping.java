package io.mykit.delay.channel.activemq;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.channel.activemq.ActiveMqSettings.Destination;
import io.mykit.delay.channel.activemq.ActiveMqSettings.Format;
import io.mykit.delay.common.message.DelayMessage;
import jakarta.jms.JMSException;
import jakarta.jms.TextMessage;
import java.util.Map;
import java.util.Optional;
import org.apache.activemq.command.ActiveMQDestination;
import org.apache.activemq.command.ActiveMQQueue;
import org.apache.activemq.command.ActiveMQTextMessage;
import org.apache.activemq.command.ActiveMQTopic;

/**
 * A message as ActiveMQ gets it: a text message with the properties {@code id}, {@code subtopic}, {@code bizKey} (strings,
 * present also when empty) and {@code dueTime} (long, epoch milliseconds); JMSCorrelationID is the id.
 *
 * @param format whether the text is the body, or the JSON of the whole message
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

    ActiveMQDestination destination(String topic) {
        return kind == Destination.QUEUE ? new ActiveMQQueue(topic) : new ActiveMQTopic(topic);
    }

    TextMessage toMessage(DelayMessage message) throws JMSException {
        ActiveMQTextMessage mapped = new ActiveMQTextMessage();
        mapped.setText(text(message));
        mapped.setJMSCorrelationID(message.id());
        mapped.setMarshalledProperties(WireProperties.of(Map.of(
                ID, message.id(),
                SUBTOPIC, message.subtopic(),
                BIZ_KEY, message.bizKey(),
                DUE_TIME, message.dueTimeMs())));
        return mapped;
    }

    private String text(DelayMessage message) {
        return format == Format.JOB ? JobJson.of(message) : message.body();
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
        return utf8(text(message)) + repeated + utf8(message.subtopic()) + utf8(message.bizKey()) + FRAME_BYTES;
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
        return Optional.empty();
    }
}
