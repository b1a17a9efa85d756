/**
 * The way from a JMS program to mykit-delay: {@link io.mykit.delay.client.jms.DelayConnectionFactory} stands before the application's own
 * connection factory, and keeps delayed messages from the broker.
 *
 * <p>Connections, sessions, contexts and producers are proxies of those of the broker ({@link java.lang.reflect.Proxy}): they have its JMS
 * interfaces, and pass on each call but a few. Messages, destinations and consumers are the broker's own.
 *
 * <p>The package uses {@code mykit-delay-client} and JMS 3.1. Its calls run on the threads of the application; a {@code CompletionListener} is
 * told on threads of the common pool.
 */
package io.mykit.delay.client.jms;
