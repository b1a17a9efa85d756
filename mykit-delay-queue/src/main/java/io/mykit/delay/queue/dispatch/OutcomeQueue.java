package io.mykit.delay.queue.dispatch;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;

/**
 * Batches whose outcome is not written yet, oldest first. Thread-safe.
 *
 * <p>Who delivers faster than can be written waits for his own topic's outcomes and for nobody else's: behind those of a
 * topic with a backlog, others would be as late as that is long.
 */
final class OutcomeQueue {
    private final int maxPerTopic;
    private final Queue<Entry> queue = new ArrayDeque<>();
    private final Map<String, Integer> byTopic = new HashMap<>();

    /** @param maxPerTopic batches */
    OutcomeQueue(int maxPerTopic) {
        this.maxPerTopic = maxPerTopic;
    }

    /** Waits while too many of this topic are there. */
    synchronized void put(String topic, BatchOutcomes outcomes) throws InterruptedException {
        while (byTopic.getOrDefault(topic, 0) >= maxPerTopic) {
            wait();
        }
        byTopic.merge(topic, 1, Integer::sum);
        queue.add(new Entry(topic, outcomes));
    }

    /** Null = none. */
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
