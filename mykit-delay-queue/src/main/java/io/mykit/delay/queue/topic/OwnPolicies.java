package io.mykit.delay.queue.topic;

import io.mykit.delay.config.PolicyConfig;
import io.mykit.delay.config.PolicyText;
import io.mykit.delay.config.TopicPolicies;
import io.mykit.delay.queue.store.TopicSetting;
import java.util.ArrayList;
import java.util.Comparator;
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
 * The policies of single topics that operators set, as the store has them. They come before those of the configuration. One thread at a
 * time calls it.
 */
final class OwnPolicies {
    /** The topics with a policy of their own: each node keeps all of them. */
    static final int MAX_TOPICS = 500;

    private static final Logger LOG = LoggerFactory.getLogger(OwnPolicies.class);
    private static final Comparator<String> GAPS_FIRST =
            Comparator.comparing((String name) -> !name.equals("gaps")).thenComparing(Comparator.naturalOrder());

    private final TopicPolicies policies;
    /** The values by topic and name. */
    private Map<String, Map<String, String>> known = Map.of();

    OwnPolicies(TopicPolicies policies) {
        this.policies = policies;
    }

    /**
     * The values of a topic after a change that is not made yet.
     *
     * @param changes by name; empty = the value is given back
     * @throws IllegalArgumentException naming what is wrong with a value, or the limit of topics
     */
    Map<String, String> changed(String topic, Map<String, Optional<String>> changes) {
        Map<String, String> before = known.getOrDefault(topic, Map.of());
        PolicyConfig unused = PolicyText.parse(after(usable(before, new ArrayList<>()), changes));
        Map<String, String> after = after(before, changes);
        if (!after.isEmpty() && !known.containsKey(topic) && known.size() >= MAX_TOPICS) {
            throw new IllegalArgumentException("topic: " + MAX_TOPICS
                    + " topics have policies of their own already; use delivery.policy of the configuration, where a name may"
                    + " end with *");
        }
        return after;
    }

    private static Map<String, String> after(Map<String, String> before, Map<String, Optional<String>> changes) {
        Map<String, String> after = new TreeMap<>(before);
        changes.forEach(
                (name, value) -> value.ifPresentOrElse(text -> after.put(name, text), () -> after.remove(name)));
        return after;
    }

    /** The values of one topic are these from now on. Returns the topics whose policies have changed. */
    Set<String> take(String topic, Map<String, String> values) {
        Map<String, Map<String, String>> now = new HashMap<>(known);
        now.put(topic, values);
        now.values().removeIf(Map::isEmpty);
        return take(now);
    }

    /** Uses the policies of the store from now on. Returns the topics whose policies have changed. */
    Set<String> take(List<TopicSetting> rows) {
        return take(rows.stream()
                .collect(Collectors.groupingBy(
                        TopicSetting::topic, Collectors.toMap(TopicSetting::name, TopicSetting::value))));
    }

    private Set<String> take(Map<String, Map<String, String>> now) {
        Set<String> changed = Stream.concat(known.keySet().stream(), now.keySet().stream())
                .filter(topic -> !Objects.equals(known.get(topic), now.get(topic)))
                .collect(Collectors.toCollection(TreeSet::new));
        if (!changed.isEmpty()) {
            Map<String, PolicyConfig> used = new HashMap<>();
            now.forEach((topic, values) -> used.put(topic, read(topic, values, changed)));
            policies.set(used);
            known = now;
        }
        return changed;
    }

    /** A node must not stop over a row, and a value that cannot be used must not hide the others. */
    private static PolicyConfig read(String topic, Map<String, String> values, Set<String> changed) {
        List<String> leftOut = new ArrayList<>();
        Map<String, String> usable = usable(values, leftOut);
        if (changed.contains(topic)) {
            LOG.info("Topic {} has this policy of operators: {}", topic, usable);
            if (!leftOut.isEmpty()) {
                LOG.warn(
                        "Topic {} has values of operators that cannot be used and are left out: {}",
                        topic,
                        String.join("; ", leftOut));
            }
        }
        return PolicyText.parse(usable);
    }

    /**
     * The values that this version can use together. A later version may have written others. Two nodes that change a topic at once may
     * write values that exclude each other: then {@code gaps} counts.
     *
     * @param leftOut gets each other value, with the reason
     */
    static Map<String, String> usable(Map<String, String> values, List<String> leftOut) {
        Map<String, String> usable = new TreeMap<>();
        values.keySet().stream().sorted(GAPS_FIRST).forEach(name -> {
            usable.put(name, values.get(name));
            try {
                PolicyConfig unused = PolicyText.parse(usable);
            } catch (IllegalArgumentException why) {
                usable.remove(name);
                leftOut.add(name + " (" + why.getMessage() + ")");
            }
        });
        return usable;
    }
}
