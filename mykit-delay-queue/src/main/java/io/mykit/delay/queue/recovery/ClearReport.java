package io.mykit.delay.queue.recovery;

/**
 * What a clear did.
 *
 * @param rows messages cancelled
 * @param milliseconds how long it took
 */
public record ClearReport(long rows, long milliseconds) {}
