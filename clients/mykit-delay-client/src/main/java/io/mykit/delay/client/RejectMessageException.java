package io.mykit.delay.client;

/** A handler throws it to give a message up: the message becomes a dead letter at once. */
public class RejectMessageException extends RuntimeException {
    /** @param reason the detail of the dead letter */
    public RejectMessageException(String reason) {
        super(reason);
    }

    /** @param reason the detail of the dead letter */
    public RejectMessageException(String reason, Throwable cause) {
        super(reason, cause);
    }
}
