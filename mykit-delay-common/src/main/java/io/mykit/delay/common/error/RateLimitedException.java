package io.mykit.delay.common.error;

/** {@link ErrorCode#RATE_LIMITED}, with the time of the next try. A caller may be refused often, so it has no stack trace. */
public final class RateLimitedException extends DelayException {
    private static final long serialVersionUID = 1L;
    private static final long SECOND_MS = 1000;

    private final long retryAfterMs;

    /** @param retryAfterMs milliseconds, at least 1 */
    public RateLimitedException(String message, long retryAfterMs) {
        super(ErrorCode.RATE_LIMITED, message);
        this.retryAfterMs = Math.max(1, retryAfterMs);
    }

    /** Milliseconds, at least 1. */
    public long retryAfterMs() {
        return retryAfterMs;
    }

    /** Whole seconds, rounded up, for protocols that have no shorter time. */
    public long retryAfterSeconds() {
        return (retryAfterMs + SECOND_MS - 1) / SECOND_MS;
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
