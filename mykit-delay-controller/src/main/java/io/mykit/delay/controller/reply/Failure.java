package io.mykit.delay.controller.reply;

import io.mykit.delay.common.error.ErrorCode;
import java.util.Map;

/**
 * A failure with the details that a caller may see. Immutable.
 *
 * @param headers the headers of an answer that consists of this failure
 * @param data the data of the answer, or null
 */
public record Failure(int status, ErrorCode error, String message, Map<String, String> headers, String data) {
    public Reply reply() {
        return Envelope.failure(status, error, message, data).with(headers);
    }

    /** Adds the id of a push whose message may be stored, so that a retry can use the same id. */
    public Failure ofPush(String id) {
        return error == ErrorCode.OUTCOME_UNKNOWN ? new Failure(status, error, message, headers, id) : this;
    }
}
