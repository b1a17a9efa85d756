package io.mykit.delay.queue.memory;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Taken messages of a bucket by the end of their leases, epoch milliseconds. Not thread-safe. */
final class MemoryLeases {
    private final Map<String, Long> ends = new TreeMap<>();

    void add(String id, long untilMs) {
        ends.put(id, untilMs);
    }

    boolean has(String id) {
        return ends.containsKey(id);
    }

    boolean remove(String id) {
        return ends.remove(id) != null;
    }

    /** Those that end before this, the first to end first. */
    List<String> before(long deadlineMs, int skip, int limit) {
        return ends.entrySet().stream()
                .filter(lease -> lease.getValue() < deadlineMs)
                .sorted(Comparator.comparingLong(Map.Entry::getValue))
                .skip(skip)
                .limit(limit)
                .map(Map.Entry::getKey)
                .toList();
    }

    int size() {
        return ends.size();
    }

    void clear() {
        ends.clear();
    }

    @Override
    public String toString() {
        return ends.toString();
    }
}
