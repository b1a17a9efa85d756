package io.mykit.delay.common.value;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Values by topic. A name that ends with {@code *} stands for all topics that begin with the rest of the name. The exact name
 * comes first, then the longest beginning. Immutable.
 */
public final class TopicPatterns<V> {
    private static final String ANY = "*";

    private final Map<String, V> exact = new HashMap<>();
    /** By beginning, the longest first. */
    private final Map<String, V> beginnings =
            new TreeMap<>(Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder()));

    public TopicPatterns(Map<String, V> byName) {
        byName.forEach((name, value) -> {
            if (name.endsWith(ANY)) {
                beginnings.put(name.substring(0, name.length() - ANY.length()), value);
            } else {
                exact.put(name, value);
            }
        });
    }

    /** The value that fits the topic best. */
    public Optional<V> first(String topic) {
        V value = exact.get(topic);
        if (value != null) {
            return Optional.of(value);
        }
        for (Map.Entry<String, V> beginning : beginnings.entrySet()) {
            if (topic.startsWith(beginning.getKey())) {
                return Optional.of(beginning.getValue());
            }
        }
        return Optional.empty();
    }

    /** All values that fit the topic, the best first. Each push asks, and most topics have none. */
    public List<V> all(String topic) {
        V value = exact.get(topic);
        if (value == null && beginnings.isEmpty()) {
            return List.of();
        }
        List<V> all = new ArrayList<>();
        if (value != null) {
            all.add(value);
        }
        beginnings.forEach((beginning, fitting) -> {
            if (topic.startsWith(beginning)) {
                all.add(fitting);
            }
        });
        return all;
    }
}
