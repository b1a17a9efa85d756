package io.mykit.delay.queue.store;

/** What housekeeping has to know of a message that ended; times in epoch milliseconds. */
public record EndedRow(String id, long dueTimeMs, long updateTimeMs) {}
