package io.mykit.delay.common.health;

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
}
