package io.mykit.delay.config;

import io.smallrye.config.WithDefault;
import java.time.Duration;

/** {@code mykit.delay.retention.*}: the time for which ended messages and the audit are kept. */
public interface RetentionConfig {
    /** Whether ended messages, and old rows of the audit, are removed. */
    @WithDefault("true")
    boolean enabled();

    /** Finished, cancelled and expired messages are removed this time after their last change. */
    @WithDefault("7d")
    Duration keep();

    /** Dead letters are removed this time after their last change. */
    @WithDefault("30d")
    Duration keepFailed();

    /** The rows of the audit are removed this time after their call. */
    @WithDefault("180d")
    Duration audit();

    /** The number of messages that one transaction removes. */
    @WithDefault("100")
    int batchSize();

    /** The maximum of messages removed in a second. */
    @WithDefault("1000")
    int rate();
}
