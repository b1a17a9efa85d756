package io.mykit.delay.channel.activemq;

import io.mykit.delay.channel.activemq.MessageForm.Body;
import io.mykit.delay.common.message.DelayMessage;
import jakarta.jms.JMSException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.activemq.command.ActiveMQBytesMessage;
import org.apache.activemq.command.ActiveMQMessage;
import org.apache.activemq.command.ActiveMQTextMessage;
import org.apache.activemq.command.MessageId;

/**
 * A push with a {@link MessageForm}, as ActiveMQ gets it: as a JMS program would have sent it. The properties are the headers, under their
 * own names and with their types; the headers {@code JMSCorrelationID}, {@code JMSType}, {@code JMSXGroupID} and {@code JMSXGroupSeq} are the
 * fields of these names. JMSMessageID is {@code ID:} and the id of the push, JMSPriority its priority. Stateless.
 */
final class FormedMessage {
    private static final String CORRELATION_ID = "JMSCorrelationID";
    private static final String TYPE = "JMSType";
    private static final String GROUP_ID = "JMSXGroupID";
    private static final String GROUP_SEQUENCE = "JMSXGroupSeq";
    private static final List<String> FIELDS = List.of(CORRELATION_ID, TYPE, GROUP_ID, GROUP_SEQUENCE);

    /** ActiveMQ takes them as an order to delay or repeat the message. */
    private static final String SCHEDULED = "AMQ_SCHEDULED_";

    private FormedMessage() {}

    static ActiveMQMessage of(DelayMessage message, MessageForm form) throws JMSException {
        ActiveMQMessage formed = content(message, form);
        Map<String, Object> properties = properties(message, form);
        moveFields(properties, formed);
        formed.setMarshalledProperties(WireProperties.of(properties));
        return formed;
    }

    /** Takes the fields out of the properties and sets them. A number of a group that is no int is left out. */
    static void moveFields(Map<String, Object> properties, ActiveMQMessage message) throws JMSException {
        message.setJMSCorrelationID((String) properties.remove(CORRELATION_ID));
        message.setJMSType((String) properties.remove(TYPE));
        message.setGroupID((String) properties.remove(GROUP_ID));
        if (properties.remove(GROUP_SEQUENCE) instanceof Integer sequence) {
            message.setGroupSequence(sequence);
        }
    }

    private static ActiveMQMessage content(DelayMessage message, MessageForm form) throws JMSException {
        if (form.body() == Body.NONE) {
            return new Bodiless(message.id());
        }
        if (message.extras().binary()) {
            Bytes bytes = new Bytes(message.id());
            bytes.writeBytes(message.bodyBytes());
            return bytes;
        }
        Text text = new Text(message.id());
        text.setText(form.body() == Body.NULL ? null : message.body());
        return text;
    }

    private static Map<String, Object> properties(DelayMessage message, MessageForm form) {
        Map<String, Object> properties = new HashMap<>();
        message.extras()
                .headers()
                .forEach((name, value) -> properties.put(name, form.type(name).read(value)));
        return properties;
    }

    /** The reason why this message has no such form; empty if there is none. */
    static Optional<String> objection(DelayMessage message) {
        MessageForm form;
        try {
            form = MessageForm.of(message.extras().target());
        } catch (IllegalArgumentException e) {
            return Optional.of(e.getMessage());
        }
        if (form.body() != Body.GIVEN
                && (message.extras().binary() || !message.body().isEmpty())) {
            return Optional.of("target.body excludes body and bodyBase64");
        }
        Map<String, String> headers = message.extras().headers();
        for (String name : form.types().keySet()) {
            if (!headers.containsKey(name)) {
                return Optional.of("target.types names " + name + ", and headers has no such entry");
            }
        }
        return headers.entrySet().stream()
                .map(header -> objection(header.getKey(), header.getValue(), form.type(header.getKey())))
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** Whether no JMS program can give a property of this name, nor a field. */
    static boolean isReserved(String name) {
        boolean isOfJms = name.startsWith("JMS") && !name.startsWith("JMS_");
        return (isOfJms && !FIELDS.contains(name)) || name.startsWith(SCHEDULED);
    }

    private static Optional<String> objection(String name, String value, PropertyType type) {
        boolean isField = FIELDS.contains(name);
        if (isReserved(name)) {
            return Optional.of("headers." + name + " is reserved: it means something to ActiveMQ");
        }
        PropertyType ofField = name.equals(GROUP_SEQUENCE) ? PropertyType.INT : PropertyType.STRING;
        if (isField && type != ofField) {
            return Optional.of("headers." + name + " must have the type " + ofField + " in target.types");
        }
        try {
            Object unused = type.read(value);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of("headers." + name + " is not of the type " + type + " of target.types");
        }
    }

    /** The client numbers the messages of a producer. Consumers see the text instead, as of messages that came by other protocols. */
    private static void name(MessageId number, String id) {
        if (number != null) {
            number.setTextView("ID:" + id);
        }
    }

    private static final class Text extends ActiveMQTextMessage {
        private final String id;

        Text(String id) {
            this.id = id;
        }

        @Override
        public void setMessageId(MessageId number) {
            name(number, id);
            super.setMessageId(number);
        }
    }

    private static final class Bytes extends ActiveMQBytesMessage {
        private final String id;

        Bytes(String id) {
            this.id = id;
        }

        @Override
        public void setMessageId(MessageId number) {
            name(number, id);
            super.setMessageId(number);
        }
    }

    private static final class Bodiless extends ActiveMQMessage {
        private final String id;

        Bodiless(String id) {
            this.id = id;
        }

        @Override
        public void setMessageId(MessageId number) {
            name(number, id);
            super.setMessageId(number);
        }
    }
}
