/**
 * RocketMQ. A message is delivered when the broker answered {@code SEND_OK}, and then as durable as the broker's own
 * flush and replication settings make it; whether also when it is stored, but not flushed or replicated in time, is
 * configured. RocketMQ carries no empty body: such a message is objected to.
 *
 * <p>Neighbours: the channels' room above and the client library. Callers are the dispatcher's threads (deliver) and
 * those of the API (objection, health); the sending itself runs on the threads of
 * {@link io.mykit.delay.queue.delivery.BoundedDelivery}.
 */
package io.mykit.delay.queue.delivery.rocketmq;
