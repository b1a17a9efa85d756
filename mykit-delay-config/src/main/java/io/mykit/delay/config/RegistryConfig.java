package io.mykit.delay.config;

import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** {@code mykit.delay.registry.*}: ZooKeeper, used in {@code master-standby}. */
public interface RegistryConfig {
    /** {@code host:port,host:port,...} */
    Optional<String> serverList();

    /** The root of the server's nodes in ZooKeeper. */
    @WithDefault("io-mykit-delay")
    String namespace();

    @WithDefault("6s")
    Duration sessionTimeout();

    /**
     * The time after which a leader gives way to another node that can use a part (Redis, database, channel) that the
     * leader cannot use; 0 = never.
     */
    @WithDefault("10s")
    Duration unfitAfter();
}
