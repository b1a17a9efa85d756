package io.mykit.delay.queue.delivery;

import java.util.Optional;

/**
 * Where a message goes, for people, by the configuration of this node.
 *
 * @param channel the name of the channel
 * @param destination the broker or the receiver, without secrets; empty = the channel names none
 */
public record MessageRoute(String channel, Optional<String> destination) {}
