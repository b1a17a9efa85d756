package io.mykit.delay.queue.recovery;

/**
 * What a restore did, or would do.
 *
 * @param rows unfinished rows seen, of the topic that was asked for
 * @param scheduled of these, put into the index because it did not know them, or noted for later if they are far away
 * @param expired of these, ended as EXPIRED
 * @param milliseconds how long it took
 * @param stopped whether it was stopped before its end
 * @param unreachable of the rows seen, left as they are because their part of Redis was not served
 */
public record RestoreReport(
        long rows, long scheduled, long expired, long milliseconds, boolean stopped, long unreachable) {}
