package io.mykit.delay.config;

import io.mykit.delay.common.text.EditDistance;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

/**
 * A map of sections, whose names the user chooses. Immutable.
 *
 * @param prefix the name of the map, with a dot
 * @param keys of each section
 * @param plain the one that is meant where a section is written as a single value
 */
record SectionMap(String prefix, Set<String> keys, String plain) {
    /** A misspelt key differs in a third of its letters at most. */
    private static final int LETTERS_PER_SLIP = 3;

    SectionMap {
        keys = Set.copyOf(keys);
    }

    /** The full name of a section's key. The section is quoted, as it may have dots. */
    String name(String section, String key) {
        return prefix + '"' + section + "\"." + key;
    }

    /** The same as a person writes it. */
    String shown(String section, String key) {
        return prefix + section + "." + key;
    }

    boolean knows(String key) {
        return keys.contains(key);
    }

    /** The key that this one is a slip of the pen from. */
    Optional<String> nearest(String written) {
        return keys.stream()
                .min(Comparator.comparingInt(key -> EditDistance.between(key, written)))
                .filter(key -> EditDistance.between(key, written) <= key.length() / LETTERS_PER_SLIP);
    }
}
