package io.mykit.delay.queue.bucket;

/** A leader called a bucket that it does not own, or does not own any more. The call changed nothing. */
public abstract class NotOwnedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotOwnedException(String message) {
        super(message);
    }
}
