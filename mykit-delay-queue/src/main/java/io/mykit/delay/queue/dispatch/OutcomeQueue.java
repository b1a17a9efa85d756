package io.mykit.delay.queue.dispatch;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;

/**
 * Batches whose outcomes are not written yet, oldest first. Thread-safe.
 *
 * <p>A topic that delivers faster than its outcomes are written waits for its own outcomes only. If it waited for those of a
 * topic with a backlog, its messages would be late by the length of that backlog.
 */
final class OutcomeQueue {
    private final int maxPerTopic;
    private final Queue<Entry> queue = new ArrayDeque<>();
    private final Map<String, Integer> byTopic = new HashMap<>();

    /** @param maxPerTopic the maximum of batches of one topic */
    OutcomeQueue(int maxPerTopic) {
        this.maxPerTopic = maxPerTopic;
    }

    /** Adds a batch. Waits while too many batches of this topic are in the queue. */
    synchronized void put(String topic, BatchOutcomes outcomes) throws InterruptedException {
        while (byTopic.getOrDefault(topic, 0) >= maxPerTopic) {
            wait();
        }
        byTopic.merge(topic, 1, Integer::sum);
        queue.add(new Entry(topic, outcomes));
    }

    /** Removes and returns the oldest batch; null = the queue is empty. */
    synchronized BatchOutcomes poll() {
        Entry entry = queue.poll();
        if (entry == null) {
            return null;
        }
        byTopic.computeIfPresent(entry.topic(), (topic, batches) -> batches == 1 ? null : batches - 1);
        notifyAll();
        return entry.outcomes();
    }

    synchronized boolean isEmpty() {
        return queue.isEmpty();
    }

    private record Entry(String topic, BatchOutcomes outcomes) {}
}
