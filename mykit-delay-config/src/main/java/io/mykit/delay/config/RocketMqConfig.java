package io.mykit.delay.config;

import io.smallrye.config.WithDefault;
import java.util.Optional;

/** {@code mykit.delay.rocketmq.*} */
public interface RocketMqConfig {
    /** {@code host:port;host:port} */
    Optional<String> namesrvAddr();

    @WithDefault("mykit-delay")
    String producerGroup();
}
