package io.mykit.delay.common.error;

/**
 * The error words of the HTTP interface. They are stable, so programs may branch on them. Each is the {@code error} field
 * of an answer.
 */
public enum ErrorCode {
    /** A value is malformed, missing or out of range. The message names the field and the limit. */
    INVALID_REQUEST,
    /** The call needs a token; the request has none, or an unknown one. */
    UNAUTHORIZED,
    /** The token is known, but does not allow this call. */
    FORBIDDEN,
    /** The settings of the channel do not allow the destination that the message names. */
    TARGET_FORBIDDEN,
    /** No message has this id, or no resource has this path. */
    NOT_FOUND,
    /** The path exists, but not with this method. */
    METHOD_NOT_ALLOWED,
    /** A message with this id and other content exists. */
    ID_CONFLICT,
    /** The call came too late: the message is being delivered, or was delivered. */
    ALREADY_DISPATCHED,
    /** The message ended in another way before (cancelled, expired, dead letter). */
    ALREADY_FINISHED,
    /** The hold of the consumer has ended, or another consumer holds the message. */
    LEASE_LOST,
    /** Consumers cannot pull this topic, because its channel is not {@code pull}. */
    NOT_PULLABLE,
    /** The request is larger than the limit. */
    TOO_LARGE,
    /** The call would work on more messages, or look at more rows, than one call may. It did nothing. */
    TOO_MANY,
    /** The calls of the token or the namespace are over their rate. The call did nothing; the answer says when it may come again. */
    RATE_LIMITED,
    /** The intake queue is full; the caller should try again later. */
    BUSY,
    /** The same long operation is already running. */
    ALREADY_RUNNING,
    /** The database cannot be reached. The call accepted nothing and changed nothing. */
    STORE_UNAVAILABLE,
    /**
     * The answer to a commit was lost, and the database could not be asked since. The change may have been made, or may
     * still be made. A repeated call has the same outcome.
     */
    OUTCOME_UNKNOWN,
    /** Redis cannot be reached, and the call has no correct answer without it. */
    INDEX_UNAVAILABLE,
    /** This node is stopping; the caller should use another node. */
    STOPPING,
    /** A defect of the server; the log has the details. */
    INTERNAL;

    /** Whether a store is away. The package of that store logs the outage, and loops try the failed work again. */
    public boolean isOutage() {
        return this == STORE_UNAVAILABLE || this == INDEX_UNAVAILABLE;
    }
}
