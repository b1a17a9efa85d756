package io.mykit.delay.controller.route;

/** The callers that a route is for, once tokens are configured. */
public enum Access {
    /** Supervisors' questions, by whatever name they call the server. */
    PROBES,
    EVERYBODY,
    PRODUCERS,
    OPERATORS
}
