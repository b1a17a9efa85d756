package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.PulledTopics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A message that this leader has taken.
 *
 * @param bucket the bucket of the message
 * @param untilNanos the lease lasts at least until then, {@link LeaseClock#nanos()}
 * @param lapsed whether a consumer held the message, and did not settle it before the end of its hold
 */
record Leased(int bucket, DelayMessage message, long untilNanos, boolean lapsed) {
    /** Orders by due time, and within a millisecond by priority, as in one bucket. */
    private static final Comparator<Leased> MOST_URGENT = Comparator.comparingLong(
                    (Leased leased) -> leased.message().dueTimeMs())
            .thenComparingInt(leased -> -leased.message().priority());

    /** A message that no consumer held. */
    Leased(int bucket, DelayMessage message, long untilNanos) {
        this(bucket, message, untilNanos, false);
    }

    /** Sorts messages of several buckets, the most urgent first. Without it, they are in the order of the buckets. */
    static List<Leased> sorted(List<Leased> taken) {
        List<Leased> sorted = new ArrayList<>(taken);
        sorted.sort(MOST_URGENT);
        return sorted;
    }

    /** The same lease, with the message as it waits for its next attempt. */
    Leased retriedAt(long nextAttemptMs) {
        return new Leased(bucket, message.retriedAt(nextAttemptMs), untilNanos, lapsed);
    }

    static Map<Integer, List<DelayMessage>> byBucket(Collection<Leased> messages) {
        Map<Integer, List<DelayMessage>> byBucket = new TreeMap<>();
        for (Leased leased : messages) {
            byBucket.computeIfAbsent(leased.bucket(), bucket -> new ArrayList<>())
                    .add(leased.message());
        }
        return byBucket;
    }

    String id() {
        return message.id();
    }

    /**
     * Groups messages that were taken together, by bucket before and by topic after it. The caller may change the map.
     *
     * @param pulled the topics that were pulled for the scan that took them
     */
    static Map<String, List<Leased>> byTopic(
            Map<Integer, List<DelayMessage>> messages, PulledTopics pulled, long untilNanos) {
        Map<String, List<Leased>> byTopic = new HashMap<>();
        messages.forEach((bucket, some) ->
                some.forEach(message -> byTopic.computeIfAbsent(message.topic(), topic -> new ArrayList<>())
                        .add(new Leased(bucket, message, untilNanos, pulled.contains(message.topic())))));
        return byTopic;
    }

    /** The characters of these messages. */
    static long characters(Collection<Leased> messages) {
        long characters = 0;
        for (Leased leased : messages) {
            characters += leased.message().characters();
        }
        return characters;
    }

    /** The characters of the largest of these messages; at least 1. */
    static long largest(Collection<Leased> messages) {
        return messages.stream()
                .mapToLong(leased -> leased.message().characters())
                .reduce(1, Math::max);
    }

    static Map<Integer, List<String>> idsByBucket(Collection<Leased> messages) {
        Map<Integer, List<String>> ids = new TreeMap<>();
        for (Leased leased : messages) {
            ids.computeIfAbsent(leased.bucket(), bucket -> new ArrayList<>()).add(leased.id());
        }
        return ids;
    }
}
