package io.mykit.delay.common.health;

/** A part that can be asked how it is. Thread-safe; answers within about a second and never throws. */
public interface HealthCheck {
    /** The key in the report: {@code store}, {@code index}, {@code registry}, {@code channels}, {@code loops} ... */
    String name();

    Health check();

    /**
     * Whether the answer is known without asking another process, so that {@link #check} returns at once. Such a check needs no
     * thread of its own and is true on a machine that is too busy to start one.
     */
    default boolean isImmediate() {
        return false;
    }
}
