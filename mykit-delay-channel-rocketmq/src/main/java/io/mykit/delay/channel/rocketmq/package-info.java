/**
 * RocketMQ. A message is delivered when the broker answered {@code SEND_OK}, and then as durable as the broker's own
 * flush and replication settings make it; whether also when it is stored, but not flushed or replicated in time, is
 * configured. RocketMQ carries no empty body: such a message is objected to.
 *
 * <p>Neighbours: the SPI and the client library. Callers are the dispatcher's threads (deliver) and
 * those of the API (objection, health); the sending itself runs on the threads of
 * {@link io.mykit.delay.channel.bounded.BoundedDelivery}.
 */
package io.mykit.delay.channel.rocketmq;
