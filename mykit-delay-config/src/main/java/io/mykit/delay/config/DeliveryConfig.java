package io.mykit.delay.config;

import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Map;

/** {@code mykit.delay.delivery.*} */
public interface DeliveryConfig {
    /** Where a topic goes that {@link #topics()} does not name. */
    @WithDefault("activemq")
    String defaultChannel();

    /** The topics that have settings of their own, by name. */
    Map<String, TopicConfig> topics();

    /** Messages handed to a channel at once. */
    @WithDefault("200")
    int batchSize();

    /** Bound on one send. */
    @WithDefault("3s")
    Duration sendTimeout();

    /** How long a batch belongs to the leader that took it. */
    @WithDefault("60s")
    Duration lease();

    /** Deliveries of one message before it becomes a dead letter; an unavailable broker does not count. 0 = no limit. */
    @WithDefault("16")
    int maxAttempts();

    /** First backoff after a failure; doubles with each further one, with jitter. */
    @WithDefault("500ms")
    Duration retryMin();

    @WithDefault("30s")
    Duration retryMax();

    /** Threads per channel: how many batches are under way to one kind of broker; one topic uses a quarter at most. */
    @WithDefault("16")
    int threads();
}
