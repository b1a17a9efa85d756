package io.mykit.delay.config;

import java.util.List;

/** The configuration cannot be used. The message is for its author and names all problems. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A value whose problem shows only when the server uses it. */
    public ConfigException(String message) {
        super(message);
    }

    public ConfigException(String message, Throwable cause) {
        super(message, cause);
    }

    ConfigException(List<String> problems) {
        super("the configuration cannot be used:\n  " + String.join("\n  ", problems));
    }
}
