package io.mykit.delay.controller;

/** Who may make a call once tokens are configured. */
enum Access {
    /** Supervisors' questions, by whatever name they call the server. */
    PROBES,
    EVERYBODY,
    PRODUCERS,
    OPERATORS
}
