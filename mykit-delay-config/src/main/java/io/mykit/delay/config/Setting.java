package io.mykit.delay.config;

import java.util.Optional;

/**
 * One value and its origin. Immutable.
 *
 * @param written the name as the user wrote it
 * @param origin for a person: the file, {@code the environment variable X}, {@code -D}, {@code the command line}
 * @param objection the reason why the name stands for no key
 */
record Setting(String written, String value, String origin, Optional<String> objection) {
    static final String BY_DEFAULT = "the default";

    Setting refusedFor(Optional<String> reason) {
        return new Setting(written, value, origin, reason);
    }
}
