package io.mykit.delay.test.fault.history;

/**
 * A clock, compared with that of this machine, which producers and consumers go by.
 *
 * @param of a node's name, for the clock by which it judges due times; or {@code monotonic}, against which this machine's
 *     clock stands still unless it is set or slewed
 * @param atMs epoch milliseconds
 * @param aheadMs of this machine's clock; of {@code monotonic} what this machine's clock has lost since the start
 */
public record ClockSeen(String of, long atMs, double aheadMs) {}
