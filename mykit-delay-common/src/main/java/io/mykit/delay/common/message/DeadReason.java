package io.mykit.delay.common.message;

/** The reason why a message became a dead letter. The table of dead letters has the names: never rename them. */
public enum DeadReason {
    /** The maximum of attempts is used up. */
    ATTEMPTS,
    /** The channel, the broker or the receiver refused the message for good. */
    REFUSED,
    /** A consumer gave the message up. */
    BURIED
}
