/**
 * The channel {@code rabbitmq}: AMQP 0-9-1 with publisher confirms. A message is delivered when the broker has confirmed it and has not
 * returned it, so a queue has it. The channel declares no exchange and no queue.
 *
 * <p>{@link io.mykit.delay.channel.rabbitmq.RabbitMqChannel} is the entrance. A {@code Batch} knows the fate of each message, a {@code
 * BatchSend} publishes it over a {@code ConfirmedChannel} of the one {@code BrokerLink}, and {@code LinkSource} connects again after a
 * pause.
 *
 * <p>The package uses the SPI and the client library. Threads of the dispatcher call deliver, and threads of the HTTP interface call
 * objection and health. The sends run on threads of {@link io.mykit.delay.channel.bounded.BoundedDelivery}. The client's thread of the
 * connection brings the confirms, and must not block.
 */
package io.mykit.delay.channel.rabbitmq;
