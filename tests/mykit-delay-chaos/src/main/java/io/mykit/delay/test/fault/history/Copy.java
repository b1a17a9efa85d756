package io.mykit.delay.test.fault.history;

/**
 * A message as Redis holds it.
 *
 * @param version as the server counts
 * @param dueMs epoch milliseconds
 */
public record Copy(int version, long dueMs, String body) {}
