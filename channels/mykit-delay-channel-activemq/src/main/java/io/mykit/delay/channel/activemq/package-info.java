/**
 * The channel {@code activemq}: ActiveMQ Classic over JMS. A batch is one transaction of persistent messages. It is
 * delivered when the broker has answered the commit.
 *
 * <p>A connection carries one batch at a time. The broker runs the commands of a connection in order. So a destination that
 * is out of memory stops the connection that sends to it, and it must not stop other topics.
 *
 * <p>The package uses the SPI and the client library. Threads of the dispatcher call deliver, and threads of the HTTP
 * interface call objection and health. The sends run on threads of {@link io.mykit.delay.channel.bounded.BoundedDelivery}.
 */
package io.mykit.delay.channel.activemq;
