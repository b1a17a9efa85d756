package io.mykit.delay.controller.call;

/** The role of a caller. A token proves it; a caller without a known token is anonymous. */
public enum Role {
    ANONYMOUS,
    PRODUCER,
    /** An operator may make producers' calls too. */
    OPERATOR
}
