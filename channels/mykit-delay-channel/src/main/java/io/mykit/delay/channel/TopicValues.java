package io.mykit.delay.channel;

import io.mykit.delay.common.value.TopicPatterns;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** The values of a key that a topic may have for itself; see {@link ChannelKey#perTopic}. Immutable. */
public final class TopicValues<V> {
    private final Map<String, V> own;
    private final Optional<V> ofSection;
    private final TopicPatterns<V> patterns;

    TopicValues(Map<String, V> own, Optional<V> ofSection) {
        this.own = Map.copyOf(own);
        this.ofSection = ofSection;
        this.patterns = new TopicPatterns<>(own);
    }

    /** The value that fits the topic best: that of its name, of its longest beginning, of the section. */
    public Optional<V> find(String topic) {
        return patterns.first(topic).or(() -> ofSection);
    }

    /** The value or the default of the section. */
    public Optional<V> ofSection() {
        return ofSection;
    }

    /** The values that topics have for themselves, by the name in the configuration, which may end with {@code *}. */
    public Map<String, V> own() {
        return new TreeMap<>(own);
    }

    /** Other values in place of these. A channel derives them once, and not for each message. */
    public <R> TopicValues<R> map(Function<? super V, ? extends R> function) {
        Map<String, R> mapped = new TreeMap<>();
        own.forEach((name, value) -> mapped.put(name, function.apply(value)));
        return new TopicValues<>(mapped, ofSection.map(function));
    }

    /** Leaves the values out, because some are secrets. */
    @Override
    public String toString() {
        return "TopicValues" + own().keySet();
    }
}
