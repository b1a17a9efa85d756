package io.mykit.delay.queue.pull;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The consumers of this node that were not answered yet, by topic, in the order in which they came. Thread-safe. */
final class PullDesk {
    private final int limit;
    private final Map<String, Set<Waiter>> byTopic = new TreeMap<>();
    private final Set<Waiter> all = new LinkedHashSet<>();

    /** @param limit the maximum of consumers */
    PullDesk(int limit) {
        this.limit = limit;
    }

    /** Returns false if too many consumers wait. */
    synchronized boolean add(Waiter waiter) {
        if (all.size() >= limit) {
            return false;
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
     * Begins a look for the first consumer of this topic that rests. Those before it, for which a look is on, are looked for
     * once more.
     *
     * @return null = none rests
     */
    synchronized Waiter next(String topic) {
        Iterator<Waiter> waiters = byTopic.getOrDefault(topic, Set.of()).iterator();
        while (waiters.hasNext()) {
            Waiter waiter = waiters.next();
            if (waiter.beginLook()) {
                return waiter;
            }
        }
        return null;
    }

    synchronized boolean waitsFor(String topic) {
        return byTopic.containsKey(topic);
    }

    synchronized List<String> topics() {
        return List.copyOf(byTopic.keySet());
    }

    synchronized List<Waiter> all() {
        return List.copyOf(all);
    }

    synchronized int size() {
        return all.size();
    }
}
