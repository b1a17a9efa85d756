package io.mykit.delay.queue.store;

/** A topic with the number of its dead letters. Times are in epoch milliseconds. */
public record DeadTopic(String topic, long count, long oldestMs, long newestMs) {}
