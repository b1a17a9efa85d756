package io.mykit.delay.queue.leader;

import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.lifecycle.Service;

/**
 * Decides whether this node leads, and calls the duty it was built with.
 *
 * <p>{@code close()} ends the current term gracefully, hands leadership over at once, and never calls the duty again.
 */
public interface LeaderElector extends Service, HealthCheck {
    /** The role right now. */
    Role role();

    /** The epoch of the current term, or 0. */
    long epoch();

    /** What this node is. */
    enum Role {
        LEADER,
        STANDBY,
        /** The registry cannot be reached, so nobody here may lead. */
        DISCONNECTED
    }
}
