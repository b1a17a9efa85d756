package io.mykit.delay.queue.memory;

import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.NodeNotes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@link NodeNotes} in memory, and the fault that a test can cause: Redis is away. Thread-safe. */
public final class MemoryNotes implements NodeNotes {
    private static final int KEPT = 720;
    private static final int MINUTES = 60;
    private static final int CALLS = 50;

    private final Map<String, String> notes = new HashMap<>();
    private final Map<String, List<String>> samples = new HashMap<>();
    private final Map<String, List<String>> minutes = new HashMap<>();
    private final Map<CallEnd, List<String>> calls = new EnumMap<>(CallEnd.class);
    private final Map<String, Set<String>> stops = new HashMap<>();
    private boolean away;

    /** Until it comes back each call fails. */
    public synchronized void setAway(boolean isAway) {
        away = isAway;
    }

    @Override
    public synchronized void write(String node, String text, String sample, long oldestMs) {
        requireThere();
        notes.put(node, text);
        if (!sample.isEmpty()) {
            List<String> list = samples.computeIfAbsent(node, first -> new ArrayList<>());
            list.add(sample);
            if (list.size() > KEPT) {
                list.remove(0);
            }
        }
        if (oldestMs > 0) {
            notes.values().removeIf(note -> Long.parseLong(note.replaceAll("\\D.*", "")) < oldestMs);
        }
    }

    @Override
    public synchronized Set<String> stops(String node) {
        requireThere();
        Set<String> asked = stops.remove(node);
        return asked == null ? Set.of() : asked;
    }

    @Override
    public synchronized Map<String, String> all() {
        requireThere();
        return new HashMap<>(notes);
    }

    @Override
    public synchronized Map<String, List<String>> samples(Map<String, Integer> lengths) {
        requireThere();
        Map<String, List<String>> found = new HashMap<>();
        lengths.forEach((node, length) -> {
            List<String> all = samples.getOrDefault(node, List.of());
            found.put(node, List.copyOf(all.subList(Math.max(0, all.size() - length), all.size())));
        });
        return found;
    }

    @Override
    public synchronized void writeMinutes(String node, Map<String, String> samples) {
        requireThere();
        samples.forEach((topic, sample) -> {
            List<String> list = minutes.computeIfAbsent(node + "\n" + topic, first -> new ArrayList<>());
            list.add(sample);
            if (list.size() > MINUTES) {
                list.remove(0);
            }
        });
    }

    @Override
    public synchronized Map<String, List<String>> minutes(Collection<String> nodes, String topic) {
        requireThere();
        Map<String, List<String>> found = new HashMap<>();
        nodes.forEach(node -> found.put(node, List.copyOf(minutes.getOrDefault(node + "\n" + topic, List.of()))));
        return found;
    }

    @Override
    public synchronized void writeCalls(CallEnd end, List<String> texts) {
        requireThere();
        List<String> same = calls.computeIfAbsent(end, first -> new ArrayList<>());
        same.addAll(texts);
        same.subList(0, Math.max(0, same.size() - CALLS)).clear();
    }

    @Override
    public synchronized List<String> calls(CallEnd end) {
        requireThere();
        return List.copyOf(calls.getOrDefault(end, List.of()));
    }

    @Override
    public synchronized void stop(String node, String work) {
        requireThere();
        stops.computeIfAbsent(node, first -> new HashSet<>()).add(work);
    }

    private void requireThere() {
        if (away) {
            throw new IndexUnavailableException("Redis is away", null);
        }
    }
}
