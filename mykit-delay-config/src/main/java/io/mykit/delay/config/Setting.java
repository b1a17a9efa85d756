package io.mykit.delay.config;

/**
 * One value and where it came from.
 *
 * @param origin for a person: the file, {@code the environment variable X}, {@code -D}, {@code the command line}
 */
record Setting(String value, String origin) {
    static final String BY_DEFAULT = "the default";
}
