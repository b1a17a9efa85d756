package io.mykit.delay.queue.operator;

/**
 * One key of the policy of a topic, or one of its other settings.
 *
 * @param name as in {@code delivery.policy}
 * @param value a number, a text, a list of numbers, or whether it is on; durations are in milliseconds
 * @param from the place that gives the value: a key of the configuration, {@code operator}, a channel, or
 *     {@code default}
 */
public record PolicyKey(String name, Object value, String from) {}
