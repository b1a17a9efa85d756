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
 * topic with a backlog, its small batches would pile up here, and its messages would be late. The memory is shared, however: a
 * batch with long texts waits for those of all topics.
 */
final class OutcomeQueue {
    private final int maxPerTopic;
    private final int turn;
    private final long maxText;
    private long text;
    /** Those that are not empty. The first topic has its turn. */
    private final Map<String, Waiting> byTopic = new LinkedHashMap<>();

    /**
     * @param maxPerTopic the places of one topic, without its last batch
     * @param turn the places of a turn
     * @param maxText the characters of dead bodies and results of all batches; a single batch may have more
     */
    OutcomeQueue(int maxPerTopic, int turn, long maxText) {
        this.maxPerTopic = maxPerTopic;
        this.turn = turn;
        this.maxText = maxText;
    }

    /** Adds a batch. Waits while this topic has no place in the queue, or the texts of the batch have none. */
    synchronized void put(String topic, BatchOutcomes outcomes) throws InterruptedException {
        while ((byTopic.containsKey(topic) && byTopic.get(topic).places >= maxPerTopic)
                || (text > 0 && outcomes.text() > 0 && text + outcomes.text() > maxText)) {
            wait();
        }
        text += outcomes.text();
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
        text -= oldest.text();
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
