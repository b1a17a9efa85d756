package io.mykit.delay.common.health;

import java.util.List;

/** Tells the state of one part of the server. Thread-safe; it answers within about a second and never throws. */
public interface HealthCheck {
    /** The key in the report: {@code store}, {@code index}, {@code registry}, {@code channels}, {@code loops} ... */
    String name();

    Health check();

    /**
     * Whether {@link #check} needs no other process and returns at once. Such a check needs no thread of its own, so it
     * also answers on a machine that is too busy to start one.
     */
    default boolean isImmediate() {
        return false;
    }

    /**
     * The threads of this part that do not run and that only a restart of the process brings back; empty in nearly all cases.
     * Returns at once.
     */
    default List<String> beyondRepair() {
        return List.of();
    }
}
