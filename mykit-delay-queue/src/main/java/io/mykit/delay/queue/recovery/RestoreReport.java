package io.mykit.delay.queue.recovery;

/**
 * What a restore did.
 *
 * @param rows unfinished rows seen
 * @param scheduled of these, put into the index because it did not know them
 * @param expired of these, ended as EXPIRED
 * @param milliseconds how long it took
 */
public record RestoreReport(long rows, long scheduled, long expired, long milliseconds) {}
