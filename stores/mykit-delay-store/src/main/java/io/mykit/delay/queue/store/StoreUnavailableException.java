package io.mykit.delay.queue.store;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;

/** The database cannot be reached, did not answer in time, or takes no writes. Nothing was changed. */
public class StoreUnavailableException extends DelayException {
    private static final long serialVersionUID = 1L;

    public StoreUnavailableException(String message, Throwable cause) {
        this(ErrorCode.STORE_UNAVAILABLE, message, cause);
    }

    StoreUnavailableException(ErrorCode code, String message, Throwable cause) {
        super(code, message, cause);
    }
}
