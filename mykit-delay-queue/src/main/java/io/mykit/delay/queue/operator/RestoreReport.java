package io.mykit.delay.queue.operator;

/**
 * The result of a restore or of its dry run.
 *
 * @param rows how many unfinished rows were read, of the chosen topic
 * @param scheduled how many of them were put into the index because it did not know them, or stay in the store until they are
 *     near enough
 * @param expired how many of them ended as EXPIRED
 * @param milliseconds how long the restore took
 * @param stopped whether it was stopped before its end
 * @param unreachable how many of the rows stay as they are because Redis did not serve their buckets
 */
public record RestoreReport(
        long rows, long scheduled, long expired, long milliseconds, boolean stopped, long unreachable) {}
