package io.mykit.delay.common.health;

/** A part that can be asked how it is. Thread-safe; answers within about a second and never throws. */
public interface HealthCheck {
    /** The key in the report: {@code store}, {@code index}, {@code registry}, {@code channels}, {@code loops} ... */
    String name();

    Health check();
}
