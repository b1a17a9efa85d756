package io.mykit.delay.client;

/** The outcome of a call on a pulled message: ack, nack, release, extend, bury. */
public enum SettleResult {
    /** The call was carried out. */
    DONE,
    /** The lease had ended before the call, and the call changed nothing. The message may be in other hands. */
    LEASE_LOST,
    /** The message has ended otherwise: it was cancelled, it expired, or it is a dead letter. The call changed nothing. */
    ALREADY_FINISHED,
    /** No message has this id. */
    NOT_FOUND,
    /**
     * The answer to an earlier try was lost, and now the lease is gone: either that try was carried out, or the lease had
     * ended before. In both cases the message is not held any more. It never happens to an ack, which the server recognises.
     */
    UNCLEAR
}
