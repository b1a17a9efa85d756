package io.mykit.delay.queue.delivery;

import io.mykit.delay.channel.DeliveryChannel;

/** The channel of a topic's messages, and the name of that channel. */
public record ChannelRoute(String name, DeliveryChannel channel) {}
