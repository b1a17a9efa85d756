/**
 * Where due messages go. {@link io.mykit.delay.queue.delivery.DeliveryChannel} is an SPI: a jar with a
 * {@link io.mykit.delay.queue.delivery.DeliveryChannelFactory} in {@code META-INF/services} adds a channel. One package
 * per channel that comes with the server.
 */
package io.mykit.delay.queue.delivery;
