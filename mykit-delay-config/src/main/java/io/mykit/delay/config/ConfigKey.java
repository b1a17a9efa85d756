package io.mykit.delay.config;

import java.lang.reflect.Type;
import java.util.Locale;
import java.util.Optional;

/**
 * One key of the configuration. Immutable.
 *
 * @param name the full name; in a map, {@code *} stands for each part that the user chooses; {@code **} at its end stands for all
 *     parts from there on
 * @param type the type of its value; for an {@link Optional}, the type inside
 * @param optional whether the value may be empty
 * @param defaultValue as text; empty if the key has no default
 */
record ConfigKey(String name, Type type, boolean optional, Optional<String> defaultValue) {
    static final String ANY = "*";
    /** At the end of a name: one or more parts that the user chooses. */
    static final String REST = "**";

    /** Whether the user chooses parts of the name. */
    boolean isMap() {
        return name.contains(ANY);
    }

    /** Whether the user chooses all parts from one on. */
    boolean isFamily() {
        return name.endsWith("." + REST);
    }

    /** The name before the first part that the user chooses, with its last dot. */
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

    /** Whether logs and errors must hide a value of the key {@code name}. */
    static boolean isSecret(String name) {
        String last = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return last.endsWith("uri") || last.contains("password") || last.contains("token") || last.contains("secret");
    }
}
