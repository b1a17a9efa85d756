package io.mykit.delay.channel.activemq;

import jakarta.jms.DeliveryMode;
import org.apache.activemq.command.ActiveMQDestination;
import org.apache.activemq.command.ActiveMQMessage;

/**
 * A JMS message, and how it is sent.
 *
 * @param timeToLiveMs milliseconds from the send on; 0 = for ever
 */
record Outgoing(
        ActiveMQDestination destination,
        ActiveMQMessage message,
        boolean isPersistent,
        int priority,
        long timeToLiveMs) {
    int deliveryMode() {
        return isPersistent ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT;
    }
}
