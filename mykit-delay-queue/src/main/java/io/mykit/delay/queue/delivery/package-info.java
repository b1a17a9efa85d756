/**
 * Which channel a topic goes to. The channels themselves are guests: {@link io.mykit.delay.channel.DeliveryChannel} is their
 * SPI, and this module knows none of them by name.
 */
package io.mykit.delay.queue.delivery;
