package io.mykit.delay.config;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

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
        return value != null ? Optional.of(value) : fitting(topic).findFirst();
    }

    /** All values that fit the topic, the best first. */
    public List<V> all(String topic) {
        return Stream.concat(Stream.ofNullable(exact.get(topic)), fitting(topic))
                .toList();
    }

    private Stream<V> fitting(String topic) {
        return beginnings.entrySet().stream()
                .filter(entry -> topic.startsWith(entry.getKey()))
                .map(Map.Entry::getValue);
    }
}
