package io.mykit.delay.access.limit;

import io.mykit.delay.queue.bucket.SharedLimits;
import io.mykit.delay.queue.bucket.SharedLimits.TopicOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

/**
 * The topics of namespaces with a limit of topics. A topic has a place for a day after the last notice about it; a node tells Redis of each
 * topic once an hour, and remembers it, so a push asks nobody. While Redis is away, a node counts the topics that it knows itself. Thread-safe.
 */
final class TopicPlaces {
    private static final long RENEWED_NANOS = Duration.ofHours(1).toNanos();
    private static final long KEPT_NANOS =
            Duration.ofSeconds(SharedLimits.TOPIC_KEPT_SECONDS).toNanos();
    /** Redis is not asked again about a topic for this time after it gave no answer. */
    private static final long UNANSWERED_NANOS = Duration.ofSeconds(10).toNanos();

    private static final CompletableFuture<Boolean> YES = CompletableFuture.completedFuture(true);

    private final Runnable wake;
    private final LongSupplier nanoTime;
    private final Queue<Asked> asked = new ConcurrentLinkedQueue<>();
    /** By namespace and topic: the time until which nobody is asked. No more than the limit of a namespace, save while Redis is away. */
    private final Map<String, Map<String, Long>> known = new ConcurrentHashMap<>();

    /** @param wake begins a round soon */
    TopicPlaces(Runnable wake, LongSupplier nanoTime) {
        this.wake = wake;
        this.nanoTime = nanoTime;
    }

    /** Whether the topic has a place. Never fails; complete within the timeouts of Redis. */
    CompletableFuture<Boolean> admit(String namespace, String topic, int max) {
        Long until = of(namespace).get(topic);
        if (until != null && until - nanoTime.getAsLong() > 0) {
            return YES;
        }
        Asked question = new Asked(new TopicOrder(namespace, topic, max), new CompletableFuture<>());
        asked.add(question);
        wake.run();
        return question.answer();
    }

    private Map<String, Long> of(String namespace) {
        return known.computeIfAbsent(namespace, first -> new ConcurrentHashMap<>());
    }

    /** Answers all questions. Blocks as long as Redis. */
    void round(SharedLimits shared) {
        List<Asked> round = new ArrayList<>();
        for (Asked next = asked.poll(); next != null; next = asked.poll()) {
            round.add(next);
        }
        if (round.isEmpty()) {
            return;
        }
        int answered = 0;
        try {
            List<Optional<Boolean>> answers =
                    shared.admit(round.stream().map(Asked::order).toList());
            for (; answered < round.size(); answered++) {
                answer(round.get(answered), answers.get(answered));
            }
        } finally {
            // After a defect: the pushes that asked must not wait for ever.
            round.subList(answered, round.size()).forEach(question -> answer(question, Optional.empty()));
        }
    }

    /** @param found empty = Redis gave no answer */
    private void answer(Asked question, Optional<Boolean> found) {
        TopicOrder order = question.order();
        boolean hasPlace = found.orElseGet(() -> hasPlaceHere(order));
        if (hasPlace) {
            long keptNanos = found.isPresent() ? RENEWED_NANOS : UNANSWERED_NANOS;
            of(order.namespace()).put(order.topic(), nanoTime.getAsLong() + keptNanos);
        }
        question.answer().complete(hasPlace);
    }

    private boolean hasPlaceHere(TopicOrder order) {
        Map<String, Long> topics = of(order.namespace());
        return topics.containsKey(order.topic()) || topics.size() < order.max();
    }

    /** Forgets what Redis has forgotten too. */
    void forget() {
        long now = nanoTime.getAsLong();
        known.values().forEach(topics -> topics.values().removeIf(until -> now - until > KEPT_NANOS - RENEWED_NANOS));
        known.values().removeIf(Map::isEmpty);
    }

    private record Asked(TopicOrder order, CompletableFuture<Boolean> answer) {}
}
