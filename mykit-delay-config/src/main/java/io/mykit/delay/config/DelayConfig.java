package io.mykit.delay.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.util.Map;

/** All of {@code mykit.delay.*}. */
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

    RocketMqConfig rocketmq();

    ActiveMqConfig activemq();

    /** Settings of channels that plug in by the SPI, by channel name. */
    Map<String, Map<String, String>> channels();

    /** How nodes share the work. */
    enum Mode {
        /** One node, no ZooKeeper; a second one fences the first. */
        STANDALONE,
        /** Several nodes, one leader elected through ZooKeeper. */
        MASTER_STANDBY
    }
}
