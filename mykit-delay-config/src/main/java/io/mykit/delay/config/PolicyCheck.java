package io.mykit.delay.config;

import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.common.message.RetryLimits;
import io.mykit.delay.common.value.DurationParser;
import java.time.Duration;
import java.util.List;

/** Checks policies. For one thread. */
final class PolicyCheck {
    private static final Duration LONGEST = Duration.ofMillis(RetryLimits.MAX_GAP_MS);
    private static final Duration LONGEST_TTL = Duration.ofSeconds(MessageLimits.MAX_TTL_SECONDS);

    private final Findings problems;

    private PolicyCheck(Findings problems) {
        this.problems = problems;
    }

    /** Checks the policies of the configuration. */
    static void run(DeliveryConfig delivery, Problems problems) {
        delivery.policy().forEach((topic, policy) -> {
            String prefix = ConfigKeys.ROOT + ".delivery.policy.\"" + topic + "\".";
            run(policy, (key, value, allowed) -> problems.add(prefix + key, value, allowed));
        });
    }

    /** Checks one policy. */
    static void run(PolicyConfig policy, Findings problems) {
        new PolicyCheck(problems).check(policy);
    }

    private void check(PolicyConfig policy) {
        policy.maxAttempts()
                .filter(most -> most < 0 || most > RetryLimits.MAX_ATTEMPTS)
                .ifPresent(most -> problems.add("max-attempts", most, "must be from 0 to " + RetryLimits.MAX_ATTEMPTS));
        policy.interval().ifPresent(interval -> atMost("interval", interval, LONGEST));
        policy.maxInterval().ifPresent(interval -> atMost("max-interval", interval, LONGEST));
        policy.multiplier()
                .filter(factor -> factor < 1 || factor > RetryLimits.MAX_MULTIPLIER)
                .ifPresent(factor ->
                        problems.add("multiplier", factor, "must be from 1 to " + RetryLimits.MAX_MULTIPLIER));
        policy.jitter()
                .filter(jitter -> jitter < 0 || jitter > 1)
                .ifPresent(jitter -> problems.add("jitter", jitter, "must be from 0 to 1"));
        policy.gaps().ifPresent(gaps -> gaps(gaps, policy));
        policy.ttl().ifPresent(ttl -> {
            atMost("ttl", ttl, LONGEST_TTL);
            if (ttl.toMillis() % 1000 != 0) {
                problems.add("ttl", DurationParser.format(ttl), "must be whole seconds");
            }
        });
        policy.rate()
                .filter(rate -> rate != 0 && !(rate >= TopicLimits.MIN_RATE && rate <= TopicLimits.MAX_RATE))
                .ifPresent(rate ->
                        problems.add("rate", rate, "must be from 0.01 to 1000000 deliveries a second, or 0: no limit"));
        policy.concurrency()
                .filter(most -> most < 0 || most > TopicLimits.MAX_CONCURRENCY)
                .ifPresent(most -> problems.add(
                        "concurrency", most, "must be from 1 to " + TopicLimits.MAX_CONCURRENCY + ", or 0: no limit"));
        policy.deadLetterTopic()
                .filter(topic -> topic.length() > MessageLimits.MAX_TOPIC || topic.endsWith("*"))
                .ifPresent(topic -> problems.add(
                        "dead-letter-topic",
                        topic,
                        "must be a topic of at most " + MessageLimits.MAX_TOPIC + " characters, without * at its end"));
    }

    private void gaps(String text, PolicyConfig policy) {
        if (policy.interval().isPresent()
                || policy.multiplier().isPresent()
                || policy.maxInterval().isPresent()) {
            problems.add("gaps", text, "excludes interval, multiplier and max-interval");
        }
        try {
            List<Duration> gaps = TopicPolicies.gaps(text);
            if (gaps.size() > RetryLimits.MAX_GAPS) {
                problems.add("gaps", text, "must have at most " + RetryLimits.MAX_GAPS + " gaps");
            }
            gaps.forEach(gap -> atMost("gaps", gap, LONGEST));
        } catch (IllegalArgumentException e) {
            problems.add("gaps", text, "separated by commas, each " + e.getMessage());
        }
    }

    private void atMost(String key, Duration value, Duration most) {
        if (value.isNegative() || value.compareTo(most) > 0) {
            problems.add(
                    key,
                    DurationParser.format(value),
                    "must be from " + DurationParser.format(Duration.ZERO) + " to " + DurationParser.format(most));
        }
    }

    /** Gets what is wrong. */
    interface Findings {
        void add(String key, Object value, String allowed);
    }
}
