package io.mykit.delay.controller.call;

/** The part that a caller plays. A token proves it; a caller without a known token is anonymous. */
public enum Role {
    ANONYMOUS,
    PRODUCER,
    /** May make producers' calls as well. */
    OPERATOR
}
