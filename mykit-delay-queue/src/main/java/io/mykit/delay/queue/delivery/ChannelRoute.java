package io.mykit.delay.queue.delivery;

import io.mykit.delay.channel.DeliveryChannel;

/** The channel that a topic's messages take, and the name it goes by. */
public record ChannelRoute(String name, DeliveryChannel channel) {}
