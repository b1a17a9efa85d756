package io.mykit.delay.config;

import io.mykit.delay.common.text.EditDistance;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A map of sections, whose names the user chooses. Immutable.
 *
 * @param prefix the name of the map, with a dot
 * @param keys the keys of each section
 * @param plain the key that a single value in place of a section stands for; empty if each value must be a section
 */
record SectionMap(String prefix, Set<String> keys, Optional<String> plain) {
    /** A misspelt key differs from the known one in at most a third of its letters. */
    private static final int LETTERS_PER_SLIP = 3;

    SectionMap {
        keys = Set.copyOf(keys);
    }

    /** The full name of a section's key. The section's name is in quotes, because it may have dots. */
    String name(String section, String key) {
        return prefix + '"' + section + "\"." + key;
    }

    /** The full name as a user writes it. */
    String shown(String section, String key) {
        return prefix + section + "." + key;
    }

    /** The full name of the section's plain key; empty if there is no such key. */
    Optional<String> plainName(String section) {
        return plain.map(key -> name(section, key));
    }

    /** The keys, the longest first: a name that ends with one key may end with a shorter one too. */
    List<String> longestFirst() {
        return keys.stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
    }

    boolean knows(String key) {
        return keys.contains(key);
    }

    /** The known key that this one is probably a misspelling of. */
    Optional<String> nearest(String written) {
        return keys.stream()
                .min(Comparator.comparingInt(key -> EditDistance.between(key, written)))
                .filter(key -> EditDistance.between(key, written) <= key.length() / LETTERS_PER_SLIP);
    }
}
