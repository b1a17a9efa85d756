package io.mykit.delay.access;

/** The role of a caller. A token proves it; a caller without a known token is anonymous. */
public enum Role {
    ANONYMOUS,
    PRODUCER,
    /** A viewer reads and changes nothing. */
    VIEWER,
    /** An operator may make the calls of producers and viewers too. */
    OPERATOR
}
