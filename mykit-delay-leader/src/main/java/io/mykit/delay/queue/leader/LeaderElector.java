package io.mykit.delay.queue.leader;

import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.lifecycle.Service;

/**
 * Decides whether this node leads, and calls the duty that it was built with. Thread-safe.
 *
 * <p>{@code close()} ends the current term in order, gives leadership up at once, and never calls the duty again.
 */
public interface LeaderElector extends Service, HealthCheck {
    /** The current role. */
    Role role();

    /** The epoch of the current term, or 0. */
    long epoch();

    /** The role of a node. */
    enum Role {
        LEADER,
        STANDBY,
        /** The registry cannot be reached, so this node must not lead. */
        DISCONNECTED
    }
}
