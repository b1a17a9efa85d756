package io.mykit.delay.queue.topic;

import io.mykit.delay.config.PolicyConfig;
import io.mykit.delay.config.PolicyText;
import io.mykit.delay.config.TopicPolicies;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The policies that operators give to topics: retries, ttl and limits. */
final class PolicySettings implements SettingKind {
    private static final Logger LOG = LoggerFactory.getLogger(PolicySettings.class);
    private static final Comparator<String> GAPS_FIRST =
            Comparator.comparing((String name) -> !name.equals("gaps")).thenComparing(Comparator.naturalOrder());

    private final TopicPolicies policies;

    /** @param policies get what operators set */
    PolicySettings(TopicPolicies policies) {
        this.policies = policies;
    }

    @Override
    public boolean has(String name) {
        return PolicyText.NAMES.contains(name);
    }

    @Override
    public void check(String topic, Map<String, String> before, Map<String, Optional<String>> changes) {
        PolicyConfig unused = PolicyText.parse(SettingKind.after(usable(before, new ArrayList<>()), changes));
    }

    @Override
    public void use(Map<String, Map<String, String>> byTopic, Set<String> changed) {
        Map<String, PolicyConfig> used = new HashMap<>();
        byTopic.forEach((topic, values) -> {
            List<String> leftOut = new ArrayList<>();
            used.put(topic, PolicyText.parse(usable(values, leftOut)));
            if (!leftOut.isEmpty() && changed.contains(topic)) {
                LOG.warn(
                        "Topic {} has values of operators that cannot be used and are left out: {}",
                        topic,
                        String.join("; ", leftOut));
            }
        });
        policies.set(used);
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
