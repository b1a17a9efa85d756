package io.mykit.delay.queue.store;

/**
 * A value of the policy of one topic, set by an operator.
 *
 * @param name such as {@code maxAttempts}
 * @param value as the configuration would have it
 */
public record TopicSetting(String topic, String name, String value) {}
