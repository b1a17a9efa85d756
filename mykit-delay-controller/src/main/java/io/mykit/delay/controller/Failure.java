package io.mykit.delay.controller;

import io.mykit.delay.common.error.ErrorCode;
import java.util.Map;

/**
 * What a caller may know of something that went wrong.
 *
 * @param headers that this failure puts on an answer of its own
 */
record Failure(int status, ErrorCode error, String message, Map<String, String> headers) {
    Reply reply() {
        return Envelope.failure(status, error, message, null).with(headers);
    }
}
