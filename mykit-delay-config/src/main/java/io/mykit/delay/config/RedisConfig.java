package io.mykit.delay.config;

import io.mykit.delay.common.value.Secret;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** {@code mykit.delay.redis.*} */
public interface RedisConfig {
    String EMBEDDED = "embedded";

    /** {@code embedded}, {@code redis://}, {@code rediss://}, {@code redis-sentinel://} or {@code redis-cluster://}. */
    @WithDefault(EMBEDDED)
    Secret uri();

    /** The timeout of connecting and of each command. */
    @WithDefault("2s")
    Duration timeout();

    /** Connections per server. */
    @WithDefault("16")
    int maxConnections();
}
