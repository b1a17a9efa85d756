package io.mykit.delay.queue.topic;

import io.mykit.delay.queue.store.TopicSetting;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of single topics that operators made, as the store has them. They come before those of the configuration. One thread at a
 * time calls it.
 */
final class OwnSettings {
    /** The topics with settings of their own: each node keeps all of them. */
    static final int MAX_TOPICS = 500;

    private static final Logger LOG = LoggerFactory.getLogger(OwnSettings.class);

    private final List<SettingKind> kinds;
    /** The values by topic and name. */
    private Map<String, Map<String, String>> known = Map.of();

    /** @param kinds the settings that this version knows; no two have a name in common */
    OwnSettings(List<SettingKind> kinds) {
        this.kinds = List.copyOf(kinds);
    }

    /**
     * The values of a topic after a change that is not made yet.
     *
     * @param changes by name; empty = the value is given back to the configuration
     * @throws IllegalArgumentException naming what is wrong with a value, or the limit of topics
     */
    Map<String, String> changed(String topic, Map<String, Optional<String>> changes) {
        Map<String, String> before = known.getOrDefault(topic, Map.of());
        changes.keySet().stream()
                .filter(name -> kinds.stream().noneMatch(kind -> kind.has(name)))
                .findFirst()
                .ifPresent(name -> {
                    throw new IllegalArgumentException(name + " cannot be set for a topic");
                });
        for (SettingKind kind : kinds) {
            Map<String, Optional<String>> own = of(kind, changes);
            if (!own.isEmpty()) {
                kind.check(topic, of(kind, before), own);
            }
        }
        Map<String, String> after = SettingKind.after(before, changes);
        if (!after.isEmpty() && !known.containsKey(topic) && known.size() >= MAX_TOPICS) {
            throw new IllegalArgumentException("topic: " + MAX_TOPICS
                    + " topics have settings of their own already; use the configuration, where a name may end with *");
        }
        return after;
    }

    /** The values of one topic are these from now on. Returns the topics whose settings have changed. */
    Set<String> take(String topic, Map<String, String> values) {
        Map<String, Map<String, String>> now = new HashMap<>(known);
        now.put(topic, values);
        now.values().removeIf(Map::isEmpty);
        return take(now);
    }

    /** Uses the settings of the store from now on. Returns the topics whose settings have changed. */
    Set<String> take(List<TopicSetting> rows) {
        return take(rows.stream()
                .collect(Collectors.groupingBy(
                        TopicSetting::topic, Collectors.toMap(TopicSetting::name, TopicSetting::value))));
    }

    private Set<String> take(Map<String, Map<String, String>> now) {
        Set<String> changed = changed(known, now);
        if (changed.isEmpty()) {
            return changed;
        }
        for (SettingKind kind : kinds) {
            Map<String, Map<String, String>> own = byTopic(kind, now);
            Set<String> ofKind = changed(byTopic(kind, known), own);
            if (!ofKind.isEmpty()) {
                kind.use(own, ofKind);
            }
        }
        // Only now: if a kind fails, the next read of the store finds the same changes, for those after it, too.
        known = now;
        changed.forEach(topic -> tell(topic, now.getOrDefault(topic, Map.of())));
        return changed;
    }

    private static Set<String> changed(Map<String, Map<String, String>> before, Map<String, Map<String, String>> now) {
        return Stream.concat(before.keySet().stream(), now.keySet().stream())
                .filter(topic -> !Objects.equals(before.get(topic), now.get(topic)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** A later version may have written values that this one does not know. */
    private void tell(String topic, Map<String, String> values) {
        LOG.info("Topic {} has these settings of operators: {}", topic, new TreeMap<>(values));
        List<String> unknown = values.keySet().stream()
                .filter(name -> kinds.stream().noneMatch(kind -> kind.has(name)))
                .sorted()
                .toList();
        if (!unknown.isEmpty()) {
            LOG.warn(
                    "Topic {} has settings of operators that this version does not know and leaves out: {}",
                    topic,
                    String.join(", ", unknown));
        }
    }

    private static Map<String, Map<String, String>> byTopic(SettingKind kind, Map<String, Map<String, String>> all) {
        Map<String, Map<String, String>> own = new HashMap<>();
        all.forEach((topic, values) -> own.put(topic, of(kind, values)));
        own.values().removeIf(Map::isEmpty);
        return own;
    }

    private static <T> Map<String, T> of(SettingKind kind, Map<String, T> values) {
        Map<String, T> own = new TreeMap<>(values);
        own.keySet().removeIf(name -> !kind.has(name));
        return own;
    }
}
