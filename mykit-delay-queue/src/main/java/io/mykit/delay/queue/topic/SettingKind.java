package io.mykit.delay.queue.topic;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A kind of settings that operators give to single topics while the queue runs, as {@link OwnSettings} reads them. One thread at a time
 * calls it.
 */
public interface SettingKind {
    /** The name of the channel of a topic, among these settings. */
    String CHANNEL = "channel";

    /** The name of the value that gives a topic a label of its own in the metrics. */
    String METRICS = "metrics";

    /** Whether a value of this name is of this kind. */
    boolean has(String name);

    /**
     * Checks a change that is not made yet.
     *
     * @param before the values of the topic, of this kind
     * @param changes by name, of this kind; empty = the value is given back to the configuration
     * @throws IllegalArgumentException naming what cannot be used, and what is allowed
     */
    void check(String topic, Map<String, String> before, Map<String, Optional<String>> changes);

    /**
     * These values count from now on, and no others. A node must not stop over a row: a value that cannot be used is left out, and the log
     * tells of it.
     *
     * @param byTopic the values by topic and name, of this kind
     * @param changed the topics whose values have changed
     */
    void use(Map<String, Map<String, String>> byTopic, Set<String> changed);

    /** The values after a change. */
    static Map<String, String> after(Map<String, String> before, Map<String, Optional<String>> changes) {
        Map<String, String> after = new TreeMap<>(before);
        changes.forEach(
                (name, value) -> value.ifPresentOrElse(text -> after.put(name, text), () -> after.remove(name)));
        return after;
    }
}
