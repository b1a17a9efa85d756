package io.mykit.delay.controller;

/** Who may make a call once tokens are configured. */
enum Access {
    EVERYBODY,
    PRODUCERS,
    OPERATORS
}
