package io.mykit.delay.config;

import io.smallrye.config.WithDefault;
import java.time.Duration;

/** {@code mykit.delay.retention.*}: how long messages are kept after they ended. */
public interface RetentionConfig {
    /** Whether anything is ever removed. */
    @WithDefault("true")
    boolean enabled();

    /** Finished, cancelled and expired messages go so long after their last change. */
    @WithDefault("7d")
    Duration keep();

    /** Dead letters go so long after their last change. */
    @WithDefault("30d")
    Duration keepFailed();

    /** Messages removed in one transaction. */
    @WithDefault("100")
    int batchSize();

    /** Messages removed in a second, at most. */
    @WithDefault("1000")
    int rate();
}
