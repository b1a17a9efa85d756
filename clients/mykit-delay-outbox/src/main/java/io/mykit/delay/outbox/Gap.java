package io.mykit.delay.outbox;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** The time between two tries of a row. It grows from one second to one minute, and is drawn at random from the upper half. */
final class Gap {
    /** From so many tries on it does not grow. */
    static final int GROWTH_END = 7;

    private static final long FIRST_MS = 1_000;
    private static final long LONGEST_MS = 60_000;

    private Gap() {}

    /**
     * The gap after a try, in milliseconds.
     *
     * @param tries this one included
     * @param least as the server asked
     */
    static long after(int tries, Duration least) {
        long longest = longestMs(tries);
        return Math.max(least.toMillis(), ThreadLocalRandom.current().nextLong(longest / 2, longest + 1));
    }

    /** The least gap before a try, in milliseconds. */
    static long leastBefore(int tries) {
        return tries < 2 ? 0 : longestMs(tries - 1) / 2;
    }

    private static long longestMs(int tries) {
        return Math.min(LONGEST_MS, FIRST_MS << Math.min(tries - 1, GROWTH_END - 1));
    }
}
