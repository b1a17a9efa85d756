/**
 * ActiveMQ (Classic) by JMS. A batch is one transaction of persistent messages: delivered when the commit was answered.
 *
 * <p>A connection carries one batch at a time. The broker works a connection's commands off in order, so a destination
 * that is out of memory stalls the connection which sends to it, and must stall no other topic.
 *
 * <p>Neighbours: the SPI and the client library. Callers are the dispatcher's threads (deliver) and
 * those of the API (objection, health); the sending itself runs on the threads of
 * {@link io.mykit.delay.channel.bounded.BoundedDelivery}.
 */
package io.mykit.delay.channel.activemq;
