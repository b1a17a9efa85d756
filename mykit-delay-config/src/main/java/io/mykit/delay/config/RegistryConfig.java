package io.mykit.delay.config;

import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** {@code mykit.delay.registry.*}: ZooKeeper, used in {@code master-standby}. */
public interface RegistryConfig {
    /** {@code host:port,host:port,...} */
    Optional<String> serverList();

    /** The root of our nodes in ZooKeeper. */
    @WithDefault("io-mykit-delay")
    String namespace();

    @WithDefault("6s")
    Duration sessionTimeout();

    /**
     * How long another node must be able to use a part of the work that the leader cannot use, until the leader gives way
     * to it; 0 = never.
     */
    @WithDefault("10s")
    Duration unfitAfter();
}
