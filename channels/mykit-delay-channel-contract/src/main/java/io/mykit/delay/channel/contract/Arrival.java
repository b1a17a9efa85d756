package io.mykit.delay.channel.contract;

import java.util.Map;

/**
 * A message as a consumer received it. Immutable.
 *
 * @param subtopic empty if there is none
 * @param bizKey empty if there is none
 * @param dueTimeMs epoch milliseconds, from its property
 * @param arrivedAtMs epoch milliseconds, by this machine's clock
 * @param properties all other properties of the message
 */
public record Arrival(
        String id,
        String subtopic,
        String bizKey,
        long dueTimeMs,
        String body,
        long arrivedAtMs,
        Map<String, Object> properties) {}
