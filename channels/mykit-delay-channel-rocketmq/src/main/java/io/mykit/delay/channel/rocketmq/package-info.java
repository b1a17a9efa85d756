/**
 * The channel {@code rocketmq}. A message is delivered when the broker answers {@code SEND_OK}. The broker's flush and
 * replication settings decide how durable it is then. A setting decides whether a message also counts as delivered if the
 * broker stored it, but did not flush or replicate it in time. RocketMQ cannot carry an empty body, so the channel objects
 * to such a message.
 *
 * <p>The package uses the SPI and the client library. Threads of the dispatcher call deliver, and threads of the HTTP
 * interface call objection and health. The sends run on threads of {@link io.mykit.delay.channel.bounded.BoundedDelivery}.
 */
package io.mykit.delay.channel.rocketmq;
