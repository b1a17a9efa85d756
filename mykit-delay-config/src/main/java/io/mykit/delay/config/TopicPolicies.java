package io.mykit.delay.config;

import static java.util.stream.Collectors.toMap;

import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.common.value.DurationParser;
import io.mykit.delay.common.value.TopicPatterns;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The policies of the configuration by topic, key by key: the one that fits a topic best comes first. Immutable. */
public final class TopicPolicies {
    private final TopicPatterns<Policy> policies;
    /** Only policies that have a limit: most topics have none, and each batch of a topic may ask. */
    private final TopicPatterns<PolicyConfig> limiting;

    private final boolean deadLetterTopics;

    public TopicPolicies(DeliveryConfig delivery) {
        this.policies = new TopicPatterns<>(delivery.policy().entrySet().stream()
                .collect(toMap(Map.Entry::getKey, entry -> Policy.of(entry.getValue()))));
        this.limiting = new TopicPatterns<>(delivery.policy().entrySet().stream()
                .filter(entry -> entry.getValue().rate().isPresent()
                        || entry.getValue().concurrency().isPresent())
                .collect(toMap(Map.Entry::getKey, Map.Entry::getValue)));
        this.deadLetterTopics = delivery.policy().values().stream()
                .anyMatch(policy -> Policy.of(policy).deadLetterTopic().isPresent());
    }

    /** The retry options of each policy that fits this topic, the best first. */
    public List<RetryOptions> retries(String topic) {
        return policies.all(topic).stream().map(Policy::retry).toList();
    }

    /** The ttl of messages of this topic that give none; 0 = no limit. */
    public long ttlSeconds(String topic) {
        return policies.all(topic).stream()
                .flatMap(policy -> policy.ttl().stream())
                .findFirst()
                .map(Duration::toSeconds)
                .orElse(0L);
    }

    /** The topic that gets a copy of each dead letter of this topic. */
    public Optional<String> deadLetterTopic(String topic) {
        return policies.all(topic).stream()
                .flatMap(policy -> policy.deadLetterTopic().stream())
                .findFirst();
    }

    /** Whether any topic has a dead-letter topic. */
    public boolean haveDeadLetterTopics() {
        return deadLetterTopics;
    }

    /** The limits of this topic's deliveries. A policy with a beginning gives each of its topics limits of its own. */
    public TopicLimits limits(String topic) {
        List<PolicyConfig> fitting = limiting.all(topic);
        if (fitting.isEmpty()) {
            return TopicLimits.NONE;
        }
        double rate = fitting.stream()
                .flatMap(policy -> policy.rate().stream())
                .findFirst()
                .orElse(0.0);
        int concurrency = fitting.stream()
                .flatMap(policy -> policy.concurrency().stream())
                .findFirst()
                .orElse(0);
        return new TopicLimits(rate, concurrency);
    }

    /**
     * The gaps in a list such as {@code 5s,5m,30m}.
     *
     * @throws IllegalArgumentException if one of them is no duration; the message gives the allowed forms
     */
    static List<Duration> gaps(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(gap -> DurationParser.parse(gap.strip()))
                .toList();
    }

    private record Policy(RetryOptions retry, Optional<Duration> ttl, Optional<String> deadLetterTopic) {
        static Policy of(PolicyConfig config) {
            RetryOptions retry = new RetryOptions(
                    config.maxAttempts().orElse(null),
                    config.interval().map(Duration::toMillis).orElse(null),
                    config.multiplier().orElse(null),
                    config.maxInterval().map(Duration::toMillis).orElse(null),
                    config.gaps()
                            .map(text ->
                                    gaps(text).stream().map(Duration::toMillis).toList())
                            .orElse(null),
                    config.jitter().orElse(null));
            return new Policy(retry, config.ttl(), config.deadLetterTopic().filter(topic -> !topic.isEmpty()));
        }
    }
}
