package io.mykit.delay.client;

import java.time.Duration;
import java.util.Objects;

/** A handler throws it to get a message again after this time. The attempt counts. */
public class RetryLaterException extends RuntimeException {
    private final Duration delay;

    public RetryLaterException(Duration delay) {
        this(delay, "again in " + delay);
    }

    /** @param reason for the flow log of the message */
    public RetryLaterException(Duration delay, String reason) {
        super(reason);
        this.delay = Objects.requireNonNull(delay, "delay");
    }

    public Duration delay() {
        return delay;
    }
}
