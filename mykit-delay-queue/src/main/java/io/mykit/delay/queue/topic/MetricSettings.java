package io.mykit.delay.queue.topic;

import io.mykit.delay.queue.metric.TopicMeters;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The topics that have a label of their own in the metrics because operators want it. */
final class MetricSettings implements SettingKind {
    /** The only value: without it, the configuration has a say. */
    static final String ON = "true";

    private final TopicMeters meters;
    /** The topics that have the value, used or not. */
    private Set<String> known = Set.of();

    MetricSettings(TopicMeters meters) {
        this.meters = meters;
    }

    @Override
    public boolean has(String name) {
        return name.equals(METRICS);
    }

    @Override
    public void check(String topic, Map<String, String> before, Map<String, Optional<String>> changes) {
        Optional<String> value = changes.get(METRICS);
        if (value.isEmpty()) {
            return;
        }
        if (!value.get().equals(ON)) {
            throw new IllegalArgumentException(METRICS + " = " + value.get() + ": must be " + ON
                    + ", or \"default\", which leaves the topic to mykit.delay.metrics.topics");
        }
        if (!known.contains(topic) && known.size() >= meters.max()) {
            throw new IllegalArgumentException(METRICS + ": operators have given metrics to " + known.size()
                    + " topics, as many as mykit.delay.metrics.max-topics allows");
        }
    }

    @Override
    public void use(Map<String, Map<String, String>> byTopic, Set<String> changed) {
        known = Set.copyOf(byTopic.keySet());
        Set<String> wanted = new TreeSet<>(known);
        // A later version may know other values.
        wanted.removeIf(topic -> !byTopic.get(topic).get(METRICS).equals(ON));
        meters.want(wanted);
    }
}
