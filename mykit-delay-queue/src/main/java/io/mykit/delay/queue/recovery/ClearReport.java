package io.mykit.delay.queue.recovery;

/**
 * What a clear did, or would do.
 *
 * @param rows messages cancelled
 * @param milliseconds how long it took
 * @param stopped whether it was stopped before its end
 * @param unreachable messages that are left as they are because their part of Redis was not served
 */
public record ClearReport(long rows, long milliseconds, boolean stopped, long unreachable) {}
