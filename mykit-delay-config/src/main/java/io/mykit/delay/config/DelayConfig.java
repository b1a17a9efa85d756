package io.mykit.delay.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;

/** {@code mykit.delay.*} without the sections of the channels, which are in {@link LoadedConfig#channels}. */
@ConfigMapping(prefix = "mykit.delay")
public interface DelayConfig {
    @WithDefault("standalone")
    Mode mode();

    /** The directory of the embedded parts' files. */
    @WithDefault("./data")
    Path dataDir();

    StopConfig stop();

    HttpConfig http();

    GrpcApiConfig grpcApi();

    RegistryConfig registry();

    RedisConfig redis();

    DatasourceConfig datasource();

    IntakeConfig intake();

    QueueConfig queue();

    DeliveryConfig delivery();

    PullConfig pull();

    RecoveryConfig recovery();

    RetentionConfig retention();

    ConsoleConfig console();

    /** The status changes that the flow log keeps. */
    @WithDefault("full")
    FlowLog flowLog();

    MetricsConfig metrics();

    LogConfig log();

    TracingConfig tracing();

    /** The way in which nodes share the work. */
    enum Mode {
        /** One node without ZooKeeper. A second node would fence the first. */
        STANDALONE,
        /** Several nodes, of which ZooKeeper elects one leader. */
        MASTER_STANDBY
    }
}
