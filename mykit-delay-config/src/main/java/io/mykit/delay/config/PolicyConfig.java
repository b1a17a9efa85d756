package io.mykit.delay.config;

import java.time.Duration;
import java.util.Optional;

/**
 * {@code mykit.delay.delivery.policy.<topic>.*}. A key that is not set is taken from the next policy that fits the topic, then
 * from the topic's channel, then from {@code delivery.max-attempts}, {@code retry-min} and {@code retry-max}; see {@link
 * TopicPolicies}.
 */
public interface PolicyConfig {
    /** The failed attempts after which a message becomes a dead letter, the first attempt included. 0 = no limit. */
    Optional<Integer> maxAttempts();

    /** The gap after the first failed attempt. */
    Optional<Duration> interval();

    /** The factor from one gap to the next. */
    Optional<Double> multiplier();

    /** The longest gap. */
    Optional<Duration> maxInterval();

    /** The gaps one by one, separated by commas. Excludes interval, multiplier and max-interval. */
    Optional<String> gaps();

    /** A gap is drawn from {@code [gap * (1 - jitter), gap]}. */
    Optional<Double> jitter();

    /** The ttl of messages that give none; whole seconds. */
    Optional<Duration> ttl();

    /** The topic that gets a copy of each dead letter. */
    Optional<String> deadLetterTopic();

    /** The deliveries of each topic in a second. 0 = no limit. */
    Optional<Double> rate();

    /** The messages of each topic that its channel has at the same time. 0 = no limit. */
    Optional<Integer> concurrency();
}
