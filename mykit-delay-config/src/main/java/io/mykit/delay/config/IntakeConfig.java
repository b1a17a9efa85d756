package io.mykit.delay.config;

import io.smallrye.config.WithDefault;

/** {@code mykit.delay.intake.*} */
public interface IntakeConfig {
    /** The maximum of messages that wait for the group commit. Further pushes get 429. */
    @WithDefault("20000")
    int queueLimit();

    /** The maximum of messages in one transaction. */
    @WithDefault("512")
    int batchLimit();
}
