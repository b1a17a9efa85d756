package io.mykit.delay.queue.bucket;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;

/** Redis cannot be reached, did not answer in time, or refuses. */
public class IndexUnavailableException extends DelayException {
    private static final long serialVersionUID = 1L;

    public IndexUnavailableException(String message, Throwable cause) {
        super(ErrorCode.INDEX_UNAVAILABLE, message, cause);
    }
}
