package io.mykit.delay.queue.operator;

/**
 * The result of a clear or of its dry run.
 *
 * @param rows how many messages are cancelled
 * @param milliseconds how long the clear took
 * @param stopped whether it was stopped before its end
 * @param unreachable how many messages stay as they are because Redis did not serve their buckets
 */
public record ClearReport(long rows, long milliseconds, boolean stopped, long unreachable) {}
