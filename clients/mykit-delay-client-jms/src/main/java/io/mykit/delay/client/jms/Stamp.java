package io.mykit.delay.client.jms;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;

/**
 * The fields that a send sets on the program's message.
 *
 * @param sentMs by the clock of this machine, as with each provider; the server does not go by it
 */
record Stamp(Destination destination, SendOptions options, String messageId, long sentMs) {
    void on(Message message) throws JMSException {
        long deliveredMs = sentMs + options.delayMs();
        message.setJMSMessageID(messageId);
        message.setJMSDestination(destination);
        message.setJMSDeliveryMode(options.deliveryMode());
        message.setJMSPriority(options.priority());
        message.setJMSTimestamp(sentMs);
        message.setJMSDeliveryTime(deliveredMs);
        message.setJMSExpiration(options.timeToLiveMs() == 0 ? 0 : deliveredMs + options.timeToLiveMs());
        message.setJMSRedelivered(false);
    }
}
