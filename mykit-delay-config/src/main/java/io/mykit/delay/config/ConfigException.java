package io.mykit.delay.config;

import java.util.List;

/** The configuration cannot be used. The message is for the person who wrote it and names everything that is wrong. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A value that cannot be judged without looking at what it names. */
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
