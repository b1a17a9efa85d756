package io.mykit.delay.queue.bucket;

/** A leader made a call on a bucket that it does not own, or owns no longer. The call changed nothing. */
public abstract class NotOwnedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotOwnedException(String message) {
        super(message);
    }
}
