package io.mykit.delay.common.error;

/** The stable words that programs may branch on; each is the {@code error} field of an answer. */
public enum ErrorCode {
    /** Malformed, missing or out of range; the message names the field and the limit. */
    INVALID_REQUEST,
    /** A token is needed and was not sent, or is not known. */
    UNAUTHORIZED,
    /** The token is known but may not do this. */
    FORBIDDEN,
    /** No message has this id, or no resource has this path. */
    NOT_FOUND,
    /** The path exists, the method does not. */
    METHOD_NOT_ALLOWED,
    /** Same id, other content. */
    ID_CONFLICT,
    /** Too late: the message is due and on its way, or already there. */
    ALREADY_DISPATCHED,
    /** The message was already finished otherwise (cancelled before, expired, dead letter). */
    ALREADY_FINISHED,
    /** Larger than allowed. */
    TOO_LARGE,
    /** The intake queue is full; ask again later. */
    BUSY,
    /** The same long operation is already running. */
    ALREADY_RUNNING,
    /** The message table cannot be reached: nothing was accepted, nothing was changed. */
    STORE_UNAVAILABLE,
    /**
     * The answer to a commit was lost and the message table could not be asked since: the change may have been made, or may
     * still be made. The same call again gives the same outcome.
     */
    OUTCOME_UNKNOWN,
    /** The index (Redis) cannot be reached and the operation cannot be answered truly without it. */
    INDEX_UNAVAILABLE,
    /** This node is stopping: another one should be asked from now on. */
    STOPPING,
    /** A defect of ours; the log knows more. */
    INTERNAL;

    /** A part of ours is away: it says so itself, and what failed for it is tried again. */
    public boolean isOutage() {
        return this == STORE_UNAVAILABLE || this == INDEX_UNAVAILABLE;
    }
}
