package io.mykit.delay.config;

import java.util.List;

/** The configuration cannot be used. The message is for the person who wrote it and names everything that is wrong. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ConfigException(List<String> problems) {
        super("the configuration cannot be used:\n  " + String.join("\n  ", problems));
    }
}
