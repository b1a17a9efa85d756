package io.mykit.delay.config;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toUnmodifiableMap;

import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.common.value.DurationParser;
import io.mykit.delay.common.value.TopicPatterns;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The policies by topic, key by key: that which an operator gave the topic while the queue runs, then those of the configuration, the one
 * that fits a topic best first. Thread-safe.
 */
public final class TopicPolicies {
    private final TopicPatterns<Policy> policies;
    /** Only policies that have a limit: most topics have none, and each batch of a topic may ask. */
    private final TopicPatterns<PolicyConfig> limiting;

    private final boolean deadLetterTopics;
    private volatile Map<String, Own> own = Map.of();
    private volatile int version;

    /** @param configured the policies of the configuration, by topic or by its beginning */
    public TopicPolicies(Map<String, PolicyConfig> configured) {
        this.policies = new TopicPatterns<>(
                configured.entrySet().stream().collect(toMap(Map.Entry::getKey, entry -> Policy.of(entry.getValue()))));
        this.limiting = new TopicPatterns<>(configured.entrySet().stream()
                .filter(entry -> entry.getValue().rate().isPresent()
                        || entry.getValue().concurrency().isPresent())
                .collect(toMap(Map.Entry::getKey, Map.Entry::getValue)));
        this.deadLetterTopics = configured.values().stream()
                .anyMatch(policy -> Policy.of(policy).deadLetterTopic().isPresent());
    }

    /** These policies of operators count from now on, and no others. They have no dead-letter topic. One thread at a time calls it. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // One thread at a time changes it.
    public void set(Map<String, PolicyConfig> byTopic) {
        own = byTopic.entrySet().stream()
                .collect(toUnmodifiableMap(
                        Map.Entry::getKey, entry -> new Own(Policy.of(entry.getValue()), entry.getValue())));
        version++;
    }

    /** Another number after each change. */
    public int version() {
        return version;
    }

    /** The policy of an operator for this topic. */
    public Optional<PolicyConfig> own(String topic) {
        return Optional.ofNullable(own.get(topic)).map(Own::config);
    }

    /** The topics with a policy of an operator. */
    public Set<String> own() {
        return own.keySet();
    }

    /** The policies that fit this topic, the best first. */
    private List<Policy> fitting(String topic) {
        Own first = own.get(topic);
        List<Policy> others = policies.all(topic);
        return first == null
                ? others
                : Stream.concat(Stream.of(first.policy()), others.stream()).toList();
    }

    /** The retry options of each policy that fits this topic, the best first. */
    public List<RetryOptions> retries(String topic) {
        return fitting(topic).stream().map(Policy::retry).toList();
    }

    /** The ttl of messages of this topic that give none; 0 = no limit. */
    public long ttlSeconds(String topic) {
        return fitting(topic).stream()
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
        Own first = own.get(topic);
        List<PolicyConfig> fitting = first == null
                ? limiting.all(topic)
                : Stream.concat(Stream.of(first.config()), limiting.all(topic).stream())
                        .toList();
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

    private record Own(Policy policy, PolicyConfig config) {}

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
