package io.mykit.delay.queue.dispatch;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;

/**
 * Batches whose outcomes are not written yet. Topics take turns of as many {@link BatchOutcomes#places}, and the batches of a topic
 * leave in their order (deficit round robin, Shreedhar and Varghese, 1995). Thread-safe.
 *
 * <p>A topic that delivers faster than its outcomes are written waits for its own outcomes only. If it waited behind those of a
 * topic with a backlog, its small batches would pile up here, and its messages would be late.
 */
final class OutcomeQueue {
    private final int maxPerTopic;
    private final int turn;
    /** Those that are not empty. The first topic has its turn. */
    private final Map<String, Waiting> byTopic = new LinkedHashMap<>();

    /**
     * @param maxPerTopic the places of one topic, without its last batch
     * @param turn the places of a turn
     */
    OutcomeQueue(int maxPerTopic, int turn) {
        this.maxPerTopic = maxPerTopic;
        this.turn = turn;
    }

    /** Adds a batch. Waits while this topic has no place in the queue. */
    synchronized void put(String topic, BatchOutcomes outcomes) throws InterruptedException {
        while (byTopic.containsKey(topic) && byTopic.get(topic).places >= maxPerTopic) {
            wait();
        }
        byTopic.computeIfAbsent(topic, name -> new Waiting(turn)).add(outcomes);
    }

    /** Removes and returns the oldest batch of the topic whose turn it is; null = the queue is empty. */
    synchronized BatchOutcomes poll() {
        if (byTopic.isEmpty()) {
            return null;
        }
        String topic = byTopic.keySet().iterator().next();
        Waiting waiting = byTopic.get(topic);
        BatchOutcomes oldest = waiting.remove();
        if (waiting.batches.isEmpty()) {
            byTopic.remove(topic);
        } else if (waiting.left <= 0) {
            waiting.left += turn;
            byTopic.remove(topic);
            byTopic.put(topic, waiting);
        }
        notifyAll();
        return oldest;
    }

    synchronized boolean isEmpty() {
        return byTopic.isEmpty();
    }

    /** The batches of one topic. */
    private static final class Waiting {
        private final Queue<BatchOutcomes> batches = new ArrayDeque<>();
        private int places;
        /** What is left of the turn; negative = the last batch was larger. */
        private int left;

        Waiting(int turn) {
            left = turn;
        }

        void add(BatchOutcomes batch) {
            batches.add(batch);
            places += batch.places();
        }

        BatchOutcomes remove() {
            BatchOutcomes oldest = batches.remove();
            places -= oldest.places();
            left -= oldest.places();
            return oldest;
        }
    }
}
