package io.mykit.delay.test.fault.history;

/**
 * A message as the consumer got it, once for each time that the broker was given it.
 *
 * @param dueMs as the message says, epoch milliseconds
 * @param atMs epoch milliseconds
 */
public record Seen(String id, String topic, String body, long dueMs, long atMs) {}
