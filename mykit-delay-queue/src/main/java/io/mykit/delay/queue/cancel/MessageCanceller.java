package io.mykit.delay.queue.cancel;

/** Cancels messages. Thread-safe; blocks. */
public final class MessageCanceller {

    /**
     * Cancels a message that is not yet due.
     *
     * @throws io.mykit.delay.common.error.DelayException STORE_UNAVAILABLE or INDEX_UNAVAILABLE if it cannot be
     *     answered truly; then the message stays as it was
     */
    public CancelResult cancel(String id) {
        throw new UnsupportedOperationException();
    }
}
