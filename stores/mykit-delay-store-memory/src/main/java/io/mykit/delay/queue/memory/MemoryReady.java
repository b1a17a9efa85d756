package io.mykit.delay.queue.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The ready lists of a bucket by topic. A list that becomes empty is gone. Not thread-safe. */
final class MemoryReady {
    private final Map<String, Deque<String>> lists = new TreeMap<>();

    boolean has(String topic) {
        return lists.containsKey(topic);
    }

    void append(String topic, List<String> ids) {
        if (!ids.isEmpty()) {
            lists.computeIfAbsent(topic, name -> new ArrayDeque<>()).addAll(ids);
        }
    }

    void prepend(String topic, String id) {
        lists.computeIfAbsent(topic, name -> new ArrayDeque<>()).addFirst(id);
    }

    /** Removes the first ids of a list. */
    List<String> poll(String topic, int limit) {
        Deque<String> list = lists.getOrDefault(topic, new ArrayDeque<>());
        List<String> first = new ArrayList<>();
        while (first.size() < limit && !list.isEmpty()) {
            first.add(list.removeFirst());
        }
        if (list.isEmpty()) {
            lists.remove(topic);
        }
        return first;
    }

    Map<String, Long> lengths() {
        Map<String, Long> lengths = new LinkedHashMap<>();
        lists.forEach((topic, list) -> lengths.put(topic, (long) list.size()));
        return lengths;
    }

    long size() {
        return lists.values().stream().mapToLong(Deque::size).sum();
    }

    void clear() {
        lists.clear();
    }

    @Override
    public String toString() {
        return lists.toString();
    }
}
