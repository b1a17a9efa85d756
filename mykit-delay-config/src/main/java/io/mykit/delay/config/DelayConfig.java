package io.mykit.delay.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;

/** All of {@code mykit.delay.*} but the sections of the channels, which are in {@link LoadedConfig#channels}. */
@ConfigMapping(prefix = "mykit.delay")
public interface DelayConfig {
    @WithDefault("standalone")
    Mode mode();

    /** Where embedded parts keep their files. */
    @WithDefault("./data")
    Path dataDir();

    HttpConfig http();

    RegistryConfig registry();

    RedisConfig redis();

    DatasourceConfig datasource();

    IntakeConfig intake();

    QueueConfig queue();

    DeliveryConfig delivery();

    RecoveryConfig recovery();

    RetentionConfig retention();

    /** How much of a message's way is logged. */
    @WithDefault("full")
    FlowLog flowLog();

    /** How nodes share the work. */
    enum Mode {
        /** One node, no ZooKeeper; a second one fences the first. */
        STANDALONE,
        /** Several nodes, one leader elected through ZooKeeper. */
        MASTER_STANDBY
    }
}
