package io.mykit.delay.queue.retry;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.common.value.DurationParser;
import io.mykit.delay.common.value.TopicPatterns;
import io.mykit.delay.config.DeliveryConfig;
import io.mykit.delay.config.PolicyConfig;
import io.mykit.delay.queue.operator.PolicyKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Tells where the policy of a topic comes from, key by key, for a person. {@link RetryPolicies} decides about messages; a message may
 * bring keys of its own. Thread-safe.
 */
public final class PolicySources {
    private static final String DEFAULT = "default";
    private static final String OPERATOR = "operator";

    private final RetryPolicies policies;
    private final Function<String, RetryOptions> ofChannel;
    private final TopicPatterns<Named> byTopic;

    /** @param ofChannel returns the default options of a topic's channel */
    public PolicySources(DeliveryConfig config, RetryPolicies policies, Function<String, RetryOptions> ofChannel) {
        this.policies = policies;
        this.ofChannel = ofChannel;
        Map<String, Named> named = new HashMap<>();
        config.policy().forEach((name, policy) -> named.put(name, new Named(name, policy)));
        this.byTopic = new TopicPatterns<>(named);
    }

    /** @param channel the name of the topic's channel */
    public List<PolicyKey> of(String topic, String channel) {
        List<Named> fitting = Stream.concat(
                        policies.byTopic().own(topic).map(Named::ofOperator).stream(), byTopic.all(topic).stream())
                .toList();
        RetryOptions own = ofChannel.apply(topic);
        RetryPolicy policy = policies.of(new DelayMessage("", topic, "", "", "", 0, 0, 0, 0, 0));
        List<PolicyKey> keys = new ArrayList<>();
        keys.add(new PolicyKey("maxAttempts", policy.maxAttempts(), attempts(fitting, own, channel)));
        if (policy.gapsMs().isEmpty()) {
            keys.add(new PolicyKey(
                    "interval",
                    policy.intervalMs(),
                    from(fitting, PolicyConfig::interval, "interval")
                            .or(() -> ofChannel(own.intervalMs(), channel))
                            .orElse("delivery.retry-min")));
            keys.add(new PolicyKey(
                    "multiplier",
                    policy.multiplier(),
                    from(fitting, PolicyConfig::multiplier, "multiplier")
                            .or(() -> ofChannel(own.multiplier(), channel))
                            .orElse(DEFAULT)));
            keys.add(new PolicyKey(
                    "maxInterval",
                    policy.maxIntervalMs(),
                    from(fitting, PolicyConfig::maxInterval, "max-interval")
                            .or(() -> ofChannel(own.maxIntervalMs(), channel))
                            .orElse("delivery.retry-max")));
        } else {
            keys.add(new PolicyKey(
                    "gaps",
                    policy.gapsMs(),
                    from(fitting, PolicyConfig::gaps, "gaps")
                            .or(() -> ofChannel(own.gapsMs(), channel))
                            .orElse(DEFAULT)));
        }
        keys.add(new PolicyKey(
                "jitter",
                policy.jitter(),
                from(fitting, PolicyConfig::jitter, "jitter")
                        .or(() -> ofChannel(own.jitter(), channel))
                        .orElse(DEFAULT)));
        addGiven(fitting, keys);
        return keys;
    }

    /** The topics that begin with the prefix and have a policy of operators, in order. */
    public List<String> ownTopics(String prefix) {
        return policies.byTopic().own().stream()
                .filter(topic -> topic.startsWith(prefix))
                .sorted()
                .toList();
    }

    /** The keys that have no value where the configuration gives none. */
    private static void addGiven(List<Named> fitting, List<PolicyKey> keys) {
        given(fitting, policy -> policy.ttl().map(DurationParser::format), "ttl", "ttl", keys);
        given(fitting, PolicyConfig::deadLetterTopic, "dead-letter-topic", "deadLetterTopic", keys);
        given(fitting, PolicyConfig::rate, "rate", "rate", keys);
        given(fitting, PolicyConfig::concurrency, "concurrency", "concurrency", keys);
    }

    private static <T> void given(
            List<Named> fitting,
            Function<PolicyConfig, Optional<T>> value,
            String key,
            String name,
            List<PolicyKey> into) {
        for (Named named : fitting) {
            Optional<T> found = value.apply(named.policy());
            if (found.isPresent()) {
                into.add(new PolicyKey(name, found.get(), named.key(key)));
                return;
            }
        }
    }

    /** A list of gaps without a number of attempts implies one. */
    private static String attempts(List<Named> fitting, RetryOptions own, String channel) {
        for (Named named : fitting) {
            if (named.policy().maxAttempts().isPresent()) {
                return named.key("max-attempts");
            }
            if (named.policy().gaps().isPresent()) {
                return named.key("gaps");
            }
        }
        return ofChannel(own.maxAttempts() == null ? own.gapsMs() : own.maxAttempts(), channel)
                .orElse("delivery.max-attempts");
    }

    private static <T> Optional<String> from(
            List<Named> fitting, Function<PolicyConfig, Optional<T>> value, String key) {
        return fitting.stream()
                .filter(named -> value.apply(named.policy()).isPresent())
                .map(named -> named.key(key))
                .findFirst();
    }

    private static Optional<String> ofChannel(Object value, String channel) {
        return value == null ? Optional.empty() : Optional.of("channel " + channel);
    }

    /** @param name null = an operator set it for the topic while the queue runs */
    private record Named(String name, PolicyConfig policy) {
        static Named ofOperator(PolicyConfig policy) {
            return new Named(null, policy);
        }

        String key(String key) {
            return name == null ? OPERATOR : "delivery.policy." + name + "." + key;
        }
    }
}
