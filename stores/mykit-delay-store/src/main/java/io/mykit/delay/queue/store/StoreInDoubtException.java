package io.mykit.delay.queue.store;

import io.mykit.delay.common.error.ErrorCode;

/**
 * The answer to a COMMIT was lost, and the store could not be asked afterwards. The change was made, or will be made,
 * or will never be made. The caller may do the same change again: a repetition is safe.
 */
public final class StoreInDoubtException extends StoreUnavailableException {
    private static final long serialVersionUID = 1L;

    public StoreInDoubtException(Throwable cause) {
        super(
                ErrorCode.OUTCOME_UNKNOWN,
                "the connection to the database broke during the commit: the change may be stored or"
                        + " not; send the same request again",
                cause);
    }
}
