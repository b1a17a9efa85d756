package io.mykit.delay.queue.recovery;

/**
 * What a clear did, or would do.
 *
 * @param rows messages cancelled
 * @param milliseconds how long it took
 * @param stopped whether it was stopped before its end
 */
public record ClearReport(long rows, long milliseconds, boolean stopped) {}
