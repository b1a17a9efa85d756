package io.mykit.delay.channel.hosts;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** The topics of which a message named a target in the last minutes. Thread-safe. */
final class TargetedTopics {
    static final Duration REMEMBERED = Duration.ofMinutes(10);
    /** A topic that is forgotten is known again with its next message. */
    static final int MAX_TOPICS = 10_000;

    private final LongSupplier nanoTime;
    private final Map<String, Long> seenNanos = new ConcurrentHashMap<>();

    /** @param nanoTime as {@link System#nanoTime} */
    TargetedTopics(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    void add(String topic) {
        if (seenNanos.size() >= MAX_TOPICS) {
            seenNanos.clear();
        }
        seenNanos.put(topic, nanoTime.getAsLong());
    }

    boolean contains(String topic) {
        Long seen = seenNanos.get(topic);
        return seen != null && nanoTime.getAsLong() - seen < REMEMBERED.toNanos();
    }
}
