/**
 * A producer of RocketMQ whose delayed messages go to mykit-delay and come back to the broker when they are due. {@link
 * io.mykit.delay.client.rocketmq.DelayingMQProducer} takes the place of a {@code DefaultMQProducer}; {@link
 * io.mykit.delay.client.rocketmq.DelayedSends} is what it does with a delayed message, for those that have another producer.
 *
 * <p>The neighbours are {@code mykit-delay-client}, which makes the calls, and the client of RocketMQ. The threads of the application come
 * in; callbacks are called by threads of this package.
 */
package io.mykit.delay.client.rocketmq;
