package io.mykit.delay.config;

import io.smallrye.config.WithDefault;
import java.util.Optional;

/** {@code mykit.delay.metrics.*} */
public interface MetricsConfig {
    /** The topics that have metrics of their own, and beginnings of their names with a {@code *}; empty = those of delivery alone. */
    Optional<String> topics();

    /** The maximum of topics that have metrics of their own because of {@link #topics}, or because an administrator wants them. */
    @WithDefault("200")
    int maxTopics();
}
