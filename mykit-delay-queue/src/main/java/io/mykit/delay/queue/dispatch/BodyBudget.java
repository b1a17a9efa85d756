package io.mykit.delay.queue.dispatch;

import java.util.concurrent.atomic.AtomicLong;

/** Counts the characters of bodies that are in memory together. It refuses nothing: its users ask before they take more. Thread-safe. */
final class BodyBudget {
    private final long most;
    private final AtomicLong used = new AtomicLong();

    /** @param most characters */
    BodyBudget(long most) {
        this.most = most;
    }

    /** @param characters negative = they are gone */
    void add(long characters) {
        used.addAndGet(characters);
    }

    /** The characters that may be added; 0 or less = none. */
    long free() {
        return most - used.get();
    }

    /**
     * Whether a topic that has nothing in memory may have one message although nothing is free. Without this, a few topics with large
     * bodies would keep all others waiting. What topics get in this way has a bound of the same size.
     */
    boolean hasReserve() {
        return used.get() < 2 * most;
    }
}
