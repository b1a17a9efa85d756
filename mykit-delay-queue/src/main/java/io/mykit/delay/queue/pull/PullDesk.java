package io.mykit.delay.queue.pull;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The consumers of this node that were not answered yet, by topic, in the order in which they came. Thread-safe. */
final class PullDesk {
    private final int limit;
    private final Map<String, Set<Waiter>> byTopic = new TreeMap<>();
    private final Set<Waiter> all = new LinkedHashSet<>();

    /** @param limit the maximum of consumers */
    PullDesk(int limit) {
        this.limit = limit;
    }

    /** Adds a consumer. If others of its topic rest, it rests, too. Returns false if too many consumers wait. */
    synchronized boolean add(Waiter waiter) {
        if (all.size() >= limit) {
            return false;
        }
        if (waiter.isOfOneTopic()
                && !waiter.order().longestWait().isZero()
                && isKnownEmpty(waiter.topics().get(0))) {
            waiter.restAsOthers();
        }
        all.add(waiter);
        waiter.topics().forEach(topic -> byTopic.computeIfAbsent(topic, name -> new LinkedHashSet<>())
                .add(waiter));
        return true;
    }

    /** Removes a consumer. Returns the topics for which no other one waits. */
    synchronized List<String> remove(Waiter waiter) {
        all.remove(waiter);
        return waiter.topics().stream()
                .filter(topic -> {
                    Set<Waiter> waiters = byTopic.get(topic);
                    if (waiters != null && waiters.remove(waiter) && waiters.isEmpty()) {
                        byTopic.remove(topic);
                        return true;
                    }
                    return false;
                })
                .toList();
    }

    /**
     * Begins a look for all consumers of this topic that rest, in the order in which they came. The others, for which a look is
     * on, are looked for once more.
     */
    synchronized List<Waiter> beginLooks(String topic, Looks.Where where) {
        return byTopic.getOrDefault(topic, Set.of()).stream()
                .filter(waiter -> waiter.beginLook(where))
                .toList();
    }

    /**
     * Whether a consumer of this topic rests after a look that found nothing. Then there were no messages, and a notice of a message
     * that came since then begins a look for all that rest.
     */
    private boolean isKnownEmpty(String topic) {
        return byTopic.getOrDefault(topic, Set.of()).stream().anyMatch(Waiter::restsAfterLook);
    }

    /** The topics of consumers whose last look failed, or that wait for their first one. */
    synchronized Set<String> withoutLook() {
        Set<String> topics = new TreeSet<>();
        all.stream().filter(Waiter::needsLook).forEach(waiter -> topics.addAll(waiter.topics()));
        return topics;
    }

    synchronized boolean waitsFor(String topic) {
        return byTopic.containsKey(topic);
    }

    /** The requests of a topic by the name of the consumer, in the order of the names. */
    synchronized Map<String, Integer> waiting(String topic) {
        Map<String, Integer> waiting = new TreeMap<>();
        byTopic.getOrDefault(topic, Set.of())
                .forEach(waiter -> waiting.merge(waiter.order().consumer(), 1, Integer::sum));
        return waiting;
    }

    synchronized List<Waiter> all() {
        return List.copyOf(all);
    }

    synchronized int size() {
        return all.size();
    }
}
