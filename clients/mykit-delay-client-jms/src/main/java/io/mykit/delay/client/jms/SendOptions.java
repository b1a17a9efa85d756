package io.mykit.delay.client.jms;

/**
 * How a message is sent, by its producer.
 *
 * @param deliveryMode of JMS
 * @param priority 0 to 9
 * @param timeToLiveMs milliseconds from the delivery on; 0 = for ever
 * @param delayMs milliseconds from the send on, more than 0
 */
record SendOptions(int deliveryMode, int priority, long timeToLiveMs, long delayMs) {}
