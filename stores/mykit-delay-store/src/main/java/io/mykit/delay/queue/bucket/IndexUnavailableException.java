package io.mykit.delay.queue.bucket;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import java.util.HashSet;
import java.util.Set;

/** Redis cannot be reached, did not answer in time, or refused the call. */
public class IndexUnavailableException extends DelayException {
    private static final long serialVersionUID = 1L;

    private final HashSet<Integer> buckets;

    public IndexUnavailableException(String message, Throwable cause) {
        this(message, cause, Set.of());
    }

    /** @param buckets see {@link #buckets()} */
    public IndexUnavailableException(String message, Throwable cause, Set<Integer> buckets) {
        super(ErrorCode.INDEX_UNAVAILABLE, message, cause);
        this.buckets = new HashSet<>(buckets);
    }

    /** The buckets that failed in a call over ids; empty if they are not known. */
    public Set<Integer> buckets() {
        return Set.copyOf(buckets);
    }
}
