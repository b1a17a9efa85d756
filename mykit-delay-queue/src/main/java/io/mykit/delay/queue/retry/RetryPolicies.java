package io.mykit.delay.queue.retry;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.config.DeliveryConfig;
import io.mykit.delay.config.TopicPolicies;
import java.util.function.Function;

/**
 * Finds the policy of a message, key by key: its own {@code retry} first, then {@code delivery.policy} of its topic, then the
 * defaults of its channel, then those of the server. An attempt that fails asks, so a corrected policy is valid for messages
 * that wait already. Thread-safe.
 */
public final class RetryPolicies {
    private static final double DOUBLED = 2;

    private final TopicPolicies policies;
    private final Function<String, RetryOptions> ofChannel;
    private final RetryOptions ofServer;

    /**
     * @param policies by topic
     * @param ofChannel returns the default options of a topic's channel
     */
    public RetryPolicies(DeliveryConfig config, TopicPolicies policies, Function<String, RetryOptions> ofChannel) {
        this.policies = policies;
        this.ofChannel = ofChannel;
        this.ofServer = new RetryOptions(
                config.maxAttempts(),
                config.retryMin().toMillis(),
                DOUBLED,
                config.retryMax().toMillis(),
                null,
                null);
    }

    /** The policies of topics. */
    public TopicPolicies byTopic() {
        return policies;
    }

    public RetryPolicy of(DelayMessage message) {
        RetryOptions found = then(RetryOptions.NONE, message.extras().retry());
        for (RetryOptions next : policies.retries(message.topic())) {
            found = then(found, next);
        }
        return RetryPolicy.of(then(then(found, ofChannel.apply(message.topic())), ofServer));
    }

    private static RetryOptions then(RetryOptions found, RetryOptions next) {
        boolean gapsCount = next.gapsMs() != null && found.gapsMs() == null && !found.grows();
        return found.or(gapsCount && next.maxAttempts() == null ? withImpliedAttempts(next) : next);
    }

    /** A list of gaps without a number of attempts is used up after the attempt that follows its last gap. */
    private static RetryOptions withImpliedAttempts(RetryOptions listed) {
        return new RetryOptions(
                listed.gapsMs().size() + 1,
                listed.intervalMs(),
                listed.multiplier(),
                listed.maxIntervalMs(),
                listed.gapsMs(),
                listed.jitter());
    }
}
