/**
 * Finds the channel of a topic. Channels are plug-ins: {@link io.mykit.delay.channel.DeliveryChannel} is their SPI, and this
 * module knows no channel by name.
 */
package io.mykit.delay.queue.delivery;
