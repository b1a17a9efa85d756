package io.mykit.delay.config;

import io.smallrye.config.WithDefault;
import java.time.Duration;

/** {@code mykit.delay.recovery.*}: loader, auditor, restore. */
public interface RecoveryConfig {
    /** How often the loader and the auditor look. */
    @WithDefault("1s")
    Duration interval();

    /** An unfinished row must be overdue by this much before the auditor doubts that the index has it. */
    @WithDefault("3s")
    Duration grace();

    /** Rows read at once. */
    @WithDefault("1000")
    int pageSize();
}
