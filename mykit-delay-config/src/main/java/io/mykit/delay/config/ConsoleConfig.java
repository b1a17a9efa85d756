package io.mykit.delay.config;

import io.smallrye.config.WithDefault;

/** {@code mykit.delay.console.*}: the pages for operators. The channel of the same name has no settings. */
public interface ConsoleConfig {
    /** Whether the server has the pages. */
    @WithDefault("true")
    boolean enabled();
}
