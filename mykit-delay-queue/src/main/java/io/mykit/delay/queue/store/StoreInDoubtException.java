package io.mykit.delay.queue.store;

import io.mykit.delay.common.error.ErrorCode;

/**
 * The answer to a COMMIT was lost, and the store could not be asked afterwards: the change was made, or will be, or never.
 * Doing the same again is safe.
 */
public final class StoreInDoubtException extends StoreUnavailableException {
    private static final long serialVersionUID = 1L;

    public StoreInDoubtException(Throwable cause) {
        super(
                ErrorCode.OUTCOME_UNKNOWN,
                "the database went away while it stored this: it may have been stored or not; send the same again",
                cause);
    }
}
