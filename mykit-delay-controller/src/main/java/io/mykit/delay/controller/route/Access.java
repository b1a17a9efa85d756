package io.mykit.delay.controller.route;

/** The callers that may use a route, if tokens are configured. */
public enum Access {
    /** Probes of supervisors. They may use any host name. */
    PROBES,
    EVERYBODY,
    PRODUCERS,
    VIEWERS,
    OPERATORS
}
