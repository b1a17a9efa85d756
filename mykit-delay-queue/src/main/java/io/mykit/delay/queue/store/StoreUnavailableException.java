package io.mykit.delay.queue.store;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;

/** The message table cannot be reached, or did not answer in time. */
public class StoreUnavailableException extends DelayException {
    private static final long serialVersionUID = 1L;

    public StoreUnavailableException(String message, Throwable cause) {
        this(ErrorCode.STORE_UNAVAILABLE, message, cause);
    }

    StoreUnavailableException(ErrorCode code, String message, Throwable cause) {
        super(code, message, cause);
    }
}
