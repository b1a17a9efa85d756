package io.mykit.delay.queue.store;

/** The columns of an ended message that housekeeping needs. Times are in epoch milliseconds. */
public record EndedRow(String id, long dueTimeMs, long updateTimeMs) {}
