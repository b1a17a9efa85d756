package io.mykit.delay.config;

import io.smallrye.config.WithDefault;
import java.time.Duration;

/** {@code mykit.delay.recovery.*}: loader, auditor, restore. */
public interface RecoveryConfig {
    /** The interval of loader and auditor. */
    @WithDefault("1s")
    Duration interval();

    /** The auditor checks an unfinished row in Redis once the row is overdue by this time. */
    @WithDefault("3s")
    Duration grace();

    /** The rows in one page. */
    @WithDefault("1000")
    int pageSize();
}
