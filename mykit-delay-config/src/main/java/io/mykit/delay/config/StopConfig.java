package io.mykit.delay.config;

import io.smallrye.config.WithDefault;
import java.time.Duration;

/** {@code mykit.delay.stop.*} */
public interface StopConfig {
    /** The maximum of a stop, from the signal to the end of the process. */
    @WithDefault("30s")
    Duration timeout();
}
