package io.mykit.delay.test.fault.history;

/**
 * An operator's call to put a message back that has ended.
 *
 * @param askedMs epoch milliseconds
 * @param done whether it was answered with success
 */
public record Restore(long askedMs, boolean done) {}
