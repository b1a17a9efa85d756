package io.mykit.delay.queue.dispatch;

import io.mykit.delay.channel.DeliveryChannel;

/**
 * The way of a topic's messages out of the server.
 *
 * @param measured the metrics of the channel
 */
record Outlet(DeliveryChannel channel, ChannelMeters measured, String topic) {}
