package io.mykit.delay.queue.delivery;

import io.mykit.delay.common.error.ErrorCode;

/**
 * The reason why a channel does not take a message.
 *
 * @param code the error word for the producer
 * @param reason for a person
 */
public record Objection(ErrorCode code, String reason) {
    /** The channel could never deliver this message. */
    public static Objection invalid(String reason) {
        return new Objection(ErrorCode.INVALID_REQUEST, reason);
    }
}
