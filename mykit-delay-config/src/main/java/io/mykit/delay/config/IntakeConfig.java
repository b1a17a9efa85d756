package io.mykit.delay.config;

import io.smallrye.config.WithDefault;

/** {@code mykit.delay.intake.*} */
public interface IntakeConfig {
    /** Messages that may wait for the group commit; beyond it pushes answer 429. */
    @WithDefault("20000")
    int queueLimit();

    /** Messages in one transaction. */
    @WithDefault("512")
    int batchLimit();
}
