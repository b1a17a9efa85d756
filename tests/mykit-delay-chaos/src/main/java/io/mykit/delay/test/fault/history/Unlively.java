package io.mykit.delay.test.fault.history;

/**
 * A running node that said, or showed by its silence, that it does not live.
 *
 * @param atMs epoch milliseconds
 */
public record Unlively(String node, long atMs, String answer) {}
