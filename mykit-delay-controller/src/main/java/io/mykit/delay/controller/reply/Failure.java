package io.mykit.delay.controller.reply;

import io.mykit.delay.common.error.ErrorCode;
import java.util.Map;

/**
 * A failure, as far as the caller may know it.
 *
 * @param headers that this failure puts on an answer of its own
 * @param data the answer's data, or null
 */
public record Failure(int status, ErrorCode error, String message, Map<String, String> headers, String data) {
    public Reply reply() {
        return Envelope.failure(status, error, message, data).with(headers);
    }

    /** Of a push: its id, where the message may be stored, so that another try can be the same message. */
    public Failure ofPush(String id) {
        return error == ErrorCode.OUTCOME_UNKNOWN ? new Failure(status, error, message, headers, id) : this;
    }
}
