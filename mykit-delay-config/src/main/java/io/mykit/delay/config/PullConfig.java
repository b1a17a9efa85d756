package io.mykit.delay.config;

import io.smallrye.config.WithDefault;
import java.time.Duration;

/** {@code mykit.delay.pull.*} */
public interface PullConfig {
    /** How long a consumer may hold a message if neither the consumer nor the message says it. */
    @WithDefault("60s")
    Duration ttr();

    /** The maximum of consumers that wait on this node. */
    @WithDefault("2000")
    int maxWaiting();

    /** The longest wait of a consumer. */
    @WithDefault("60s")
    Duration maxWait();

    /** The health report warns of a topic with so many ready messages; 0 = never. */
    @WithDefault("100000")
    int warnReady();
}
