package io.mykit.delay.config;

import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Map;

/** {@code mykit.delay.delivery.*} */
public interface DeliveryConfig {
    /** The channel of topics that {@link #topics()} does not name. */
    @WithDefault("activemq")
    String defaultChannel();

    /** The topics that have settings of their own, by name; see {@link io.mykit.delay.common.value.TopicPatterns}. */
    Map<String, TopicConfig> topics();

    /** What happens to messages of a topic that fail, by name; see {@link io.mykit.delay.common.value.TopicPatterns}. */
    Map<String, PolicyConfig> policy();

    /**
     * What the leader does with a topic for which the configuration of another live node names another channel: wait until the
     * nodes agree, or deliver by its own configuration.
     */
    @WithDefault("wait")
    OnDifference onDifference();

    /** The maximum of messages in one call of a channel. */
    @WithDefault("200")
    int batchSize();

    /** The timeout of one send. */
    @WithDefault("3s")
    Duration sendTimeout();

    /** The time for which a batch belongs to the leader that took it. */
    @WithDefault("60s")
    Duration lease();

    /**
     * The failed attempts after which a message becomes a dead letter. An outage of the broker is no attempt. 0 = no limit.
     */
    @WithDefault("16")
    int maxAttempts();

    /** The wait after the first failure. Each further failure doubles it; it has jitter. */
    @WithDefault("500ms")
    Duration retryMin();

    @WithDefault("30s")
    Duration retryMax();

    /** Threads of each channel, so the maximum of its batches that are being sent. One topic uses at most a quarter. */
    @WithDefault("16")
    int threads();
}
