package io.mykit.delay.config;

import java.lang.reflect.Type;
import java.util.Locale;
import java.util.Optional;

/**
 * One key of the configuration.
 *
 * @param name the full name; of a map, with {@code *} for each part that the user chooses
 * @param type what its value is converted to; for an {@link Optional}, what is inside
 * @param optional whether it may be empty
 * @param defaultValue as it would be written; empty if there is none
 */
record ConfigKey(String name, Type type, boolean optional, Optional<String> defaultValue) {
    static final String ANY = "*";

    /** Whether the user chooses parts of its name. */
    boolean isMap() {
        return name.contains(ANY);
    }

    /** The name up to the first part that the user chooses, with its dot. */
    String mapPrefix() {
        return name.substring(0, name.indexOf(ANY));
    }

    /** The name as an environment variable. */
    String environmentName() {
        return environmentName(name);
    }

    static String environmentName(String name) {
        return name.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }

    /** Whether a value of the key {@code name} must not be shown. */
    static boolean isSecret(String name) {
        String last = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return last.endsWith("uri") || last.contains("password") || last.contains("token") || last.contains("secret");
    }
}
