package io.mykit.delay.queue.producer;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import java.util.Optional;

/** The result of a cancel. */
public enum CancelResult {
    /** No delivery has begun, and none will start any more. A second cancel gets the same answer. */
    CANCELLED,
    /** No delivery will start any more. An earlier attempt failed, or its end is unknown: its receiver may have got the message. */
    CANCELLED_AFTER_ATTEMPT,
    /** The message was delivered or will be delivered. */
    ALREADY_DISPATCHED,
    /** The message ended otherwise: it expired, or it is a dead letter. */
    ALREADY_FINISHED,
    /** No message has this id. */
    UNKNOWN;

    /** Whether the message is cancelled. */
    public boolean isCancelled() {
        return this == CANCELLED || this == CANCELLED_AFTER_ATTEMPT;
    }

    /**
     * The error of a cancel that cancelled nothing, with its reason for a person: NOT_FOUND, ALREADY_DISPATCHED or ALREADY_FINISHED. Empty
     * if the message is cancelled.
     */
    public Optional<DelayException> refusal(String id) {
        return switch (this) {
            case CANCELLED, CANCELLED_AFTER_ATTEMPT -> Optional.empty();
            case UNKNOWN -> Optional.of(DelayException.unknown(id));
            case ALREADY_DISPATCHED ->
                Optional.of(
                        new DelayException(ErrorCode.ALREADY_DISPATCHED, "message " + id + " is already dispatched"));
            case ALREADY_FINISHED ->
                Optional.of(new DelayException(ErrorCode.ALREADY_FINISHED, "message " + id + " is already finished"));
        };
    }
}
