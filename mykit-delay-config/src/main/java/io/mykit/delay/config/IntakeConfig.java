package io.mykit.delay.config;

import io.smallrye.config.WithDefault;
import java.time.Duration;

/** {@code mykit.delay.intake.*} */
public interface IntakeConfig {
    /** The maximum of messages that wait for the group commit. Further pushes get 429. */
    @WithDefault("20000")
    int queueLimit();

    /** The maximum of messages in one transaction. */
    @WithDefault("512")
    int batchLimit();

    /** The maximum of transactions at the same time, never more than the database has writers; 0 = as the processors allow. */
    @WithDefault("0")
    int lanes();

    /** The longest wait of a push for others at ordinary rates; zero = no wait. */
    @WithDefault("2ms")
    Duration linger();
}
