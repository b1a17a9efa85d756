package io.mykit.delay.config;

import io.smallrye.config.WithDefault;
import java.util.Optional;

/**
 * {@code mykit.delay.console.*}: the pages for operators, and the parts of messages that people see there and by every other
 * read. The channel of the same name has no settings.
 */
public interface ConsoleConfig {
    /** Whether the server has the pages. */
    @WithDefault("true")
    boolean enabled();

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
