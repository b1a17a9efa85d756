package io.mykit.delay.queue.topic;

import io.mykit.delay.queue.bucket.PulledTopics;

/**
 * The topics whose due messages stay in their ready lists: consumers pull them, or the topic is paused. Such a message can be
 * cancelled. Thread-safe.
 */
public record WithheldTopics(PulledTopics pulled, PausedTopics paused) {
    /** Each due message is delivered. */
    public static final WithheldTopics NONE = new WithheldTopics(PulledTopics.NONE, PausedTopics.NONE);

    public boolean isEmpty() {
        return pulled.isEmpty() && paused.all().isEmpty();
    }

    public boolean contains(String topic) {
        return pulled.contains(topic) || paused.contains(topic);
    }
}
