package io.mykit.delay.client.jms;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.List;

/** Reads the delay of a message. Stateless. */
final class Delays {
    /** ActiveMQ's property of a delay, in milliseconds. */
    static final String PROPERTY = "AMQ_SCHEDULED_DELAY";

    private static final List<String> REPEATED =
            List.of("AMQ_SCHEDULED_CRON", "AMQ_SCHEDULED_PERIOD", "AMQ_SCHEDULED_REPEAT");

    private Delays() {}

    /**
     * The delay of a message, in milliseconds; 0 = it has none.
     *
     * @param message null = none, which the broker's client refuses
     * @param ofProducerMs that of its producer
     * @throws JMSException if it cannot be read, or if the message is to be repeated
     */
    static long of(Message message, long ofProducerMs) throws JMSException {
        if (message == null) {
            return 0;
        }
        for (String name : REPEATED) {
            if (message.propertyExists(name)) {
                throw new JMSException("The message has the property " + name
                        + ", and mykit-delay delivers a message once: send it by a connection factory of the broker"
                        + " alone, or let its consumer send the next one");
            }
        }
        if (!message.propertyExists(PROPERTY)) {
            return ofProducerMs;
        }
        if (ofProducerMs > 0) {
            throw new JMSException("The message has the property " + PROPERTY
                    + ", and its producer has a deliveryDelay: give one of them");
        }
        return checked(PROPERTY, number(message.getObjectProperty(PROPERTY)));
    }

    /**
     * @param name for the message of the exception
     * @throws JMSException if it is negative
     */
    static long checked(String name, long delayMs) throws JMSException {
        if (delayMs < 0) {
            throw new JMSException(name + " = " + delayMs + " is negative: give milliseconds from now on, or 0");
        }
        return delayMs;
    }

    private static long number(Object value) throws JMSException {
        if (value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        }
        try {
            if (value instanceof String text) {
                return Long.parseLong(text);
            }
        } catch (NumberFormatException e) {
            throw unreadable(value, e);
        }
        throw unreadable(value, null);
    }

    private static JMSException unreadable(Object value, NumberFormatException cause) {
        JMSException unreadable = new JMSException(
                PROPERTY + " = " + value + " is no number of milliseconds: set it as a long, such as 60000");
        unreadable.initCause(cause);
        return unreadable;
    }
}
