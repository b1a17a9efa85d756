package io.mykit.delay.client;

import java.time.Duration;

/** No endpoint gave a final answer for as long as the client was to try. The message has the last reason. */
public final class DelayUnavailableException extends DelayClientException {
    private final Duration retryAfter;

    DelayUnavailableException(String message, Throwable cause, boolean inDoubt) {
        this(message, cause, inDoubt, Duration.ZERO);
    }

    DelayUnavailableException(String message, Throwable cause, boolean inDoubt, Duration retryAfter) {
        super(message, cause, inDoubt);
        this.retryAfter = retryAfter;
    }

    @Override
    public DelayUnavailableException about(String text) {
        return new DelayUnavailableException(text + ": " + getMessage(), this, isInDoubt(), retryAfter);
    }

    /** The pause for which the last answer asked ({@code Retry-After}); zero = it asked for none. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
