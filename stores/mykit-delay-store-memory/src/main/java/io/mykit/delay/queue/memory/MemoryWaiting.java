package io.mykit.delay.queue.memory;

import io.mykit.delay.common.message.DelayMessage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** The messages of a bucket that wait for their due time, by topic. Not thread-safe. */
final class MemoryWaiting {
    private static final Comparator<Entry> ORDER =
            Comparator.comparingDouble(Entry::score).thenComparing(Entry::id);
    private static final int PRIORITIES = 16;

    private final Map<String, TreeSet<Entry>> topics = new TreeMap<>();
    private final Map<String, Entry> entries = new HashMap<>();
    /** Of all topics: each call on a bucket asks for the first one. */
    private final TreeSet<Entry> all = new TreeSet<>(ORDER);

    private record Entry(double score, String id, String topic) {}

    /** The due time, with the priority as its fraction: the higher the priority, the earlier. */
    static double score(long dueMs, DelayMessage message) {
        return dueMs + (9 - message.priority()) / (double) PRIORITIES;
    }

    double score(String id) {
        return entries.get(id).score;
    }

    void add(DelayMessage message, double score) {
        Entry entry = new Entry(score, message.id(), message.topic());
        entries.put(entry.id, entry);
        all.add(entry);
        topics.computeIfAbsent(entry.topic, topic -> new TreeSet<>(ORDER)).add(entry);
    }

    /** A message under a hold waits for its end; its priority does not matter. */
    void addHeld(DelayMessage message, long untilMs) {
        add(message, untilMs + (PRIORITIES - 1) / (double) PRIORITIES);
    }

    boolean has(String id) {
        return entries.containsKey(id);
    }

    boolean remove(String id) {
        Entry entry = entries.remove(id);
        if (entry == null) {
            return false;
        }
        all.remove(entry);
        TreeSet<Entry> topic = topics.get(entry.topic);
        topic.remove(entry);
        if (topic.isEmpty()) {
            topics.remove(entry.topic);
        }
        return true;
    }

    /** Topics with a message due at this time, those that have waited longest first. */
    List<String> dueTopics(long nowMs, int limit) {
        return topics.values().stream()
                .map(TreeSet::first)
                .filter(first -> first.score < nowMs + 1)
                .sorted(ORDER)
                .limit(limit)
                .map(Entry::topic)
                .toList();
    }

    /** The first messages of a topic that are due at this time. */
    List<String> due(String topic, long nowMs, int limit) {
        return topics.getOrDefault(topic, new TreeSet<>(ORDER)).stream()
                .filter(entry -> entry.score < nowMs + 1)
                .limit(limit)
                .map(Entry::id)
                .toList();
    }

    /** Removes the first messages of a topic that are due at this time. */
    List<String> poll(String topic, long nowMs, int limit) {
        List<String> due = due(topic, nowMs, limit);
        due.forEach(this::remove);
        return due;
    }

    /** The number of messages by topic. */
    Map<String, Long> sizes() {
        Map<String, Long> sizes = new TreeMap<>();
        topics.forEach((topic, messages) -> sizes.put(topic, (long) messages.size()));
        return sizes;
    }

    /** Infinite if no message waits. */
    double earliest() {
        return all.isEmpty() ? Double.POSITIVE_INFINITY : all.first().score;
    }

    /** Epoch milliseconds; -1 if no message waits. */
    long nextDueMs() {
        return entries.isEmpty() ? -1 : (long) Math.floor(earliest());
    }

    int size() {
        return entries.size();
    }

    List<String> ids() {
        return new ArrayList<>(entries.keySet());
    }

    void clear() {
        topics.clear();
        entries.clear();
        all.clear();
    }

    @Override
    public String toString() {
        return topics.toString();
    }
}
