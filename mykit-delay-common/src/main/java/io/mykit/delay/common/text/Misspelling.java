package io.mykit.delay.common.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the known name that is similar to an unknown one. Stateless. */
public final class Misspelling {
    private static final int MAX_SHOWN = 64;
    private static final int NEAR = 2;

    private Misspelling() {}

    /** The known name that this one is probably a misspelling of, if there is one. */
    public static Optional<String> nearest(String name, Collection<String> known) {
        String lower = lower(shorten(name));
        // Every name of two letters is two edits away from one of one letter.
        int near = Math.min(NEAR, lower.length() - 1);
        return known.stream()
                .min(Comparator.comparingInt(each -> EditDistance.between(lower, lower(each))))
                .filter(nearest -> EditDistance.between(lower, lower(nearest)) <= near);
    }

    /** The name, cut if it is too long for an error message. */
    public static String shorten(String name) {
        return name.length() <= MAX_SHOWN ? name : name.substring(0, MAX_SHOWN) + "...";
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
