package io.mykit.delay.ports;

import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.lifecycle.Service;
import java.time.Duration;

/**
 * The ports of one API, as the server starts and stops them. {@code close()} gives open requests some seconds, and releases all threads and
 * sockets. It is a part of {@code /health} too, where it tells its ports. Thread-safe.
 */
public interface PortGuest extends Service, HealthCheck {
    /** The API whose ports they are, as in the configuration. */
    String section();

    /** The addresses to connect to, for a person; only after the start. */
    String address();

    /** Whether a client has made a call within this time. */
    boolean hasServedWithin(Duration time);

    /** Announces the close of this node: each answer ends its connection from now on, and no request waits. */
    void announceStop();
}
