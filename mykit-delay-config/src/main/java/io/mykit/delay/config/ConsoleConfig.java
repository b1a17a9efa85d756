package io.mykit.delay.config;

import io.smallrye.config.WithDefault;
import java.util.Optional;

/** {@code mykit.delay.console.*}: what people see of messages, in the console and by every other read. */
public interface ConsoleConfig {
    /** The callers that see bodies. */
    @WithDefault("all")
    Bodies bodies();

    /**
     * The names whose values are hidden in bodies, headers and addresses, separated by commas. A name may end with {@code *}.
     * Upper and lower case are the same.
     */
    Optional<String> mask();

    /** The callers that see bodies. */
    enum Bodies {
        /** Each caller that may read messages. */
        ALL,
        OPERATORS,
        NONE
    }
}
