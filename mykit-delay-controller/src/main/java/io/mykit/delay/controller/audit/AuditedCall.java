package io.mykit.delay.controller.audit;

import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.queue.overview.ActingCall;
import org.slf4j.Logger;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * A call whose answer is known. Immutable.
 *
 * @param requestId null = none, or one that is not usable
 */
public record AuditedCall(
        long timeMs,
        String call,
        String what,
        String caller,
        String address,
        String requestId,
        int status,
        String result,
        long milliseconds) {
    public AuditedCall {
        requestId = FieldRules.isRequestId(requestId) ? requestId : null;
    }

    /** The call as all nodes show it. */
    public ActingCall shown() {
        return new ActingCall(timeMs, call, what, caller, address, status, result, milliseconds);
    }

    void write(Logger to) {
        LoggingEventBuilder line = to.atInfo()
                .addKeyValue("call", call)
                .addKeyValue("what", what)
                .addKeyValue("caller", caller)
                .addKeyValue("address", address)
                .addKeyValue("status", status)
                .addKeyValue("result", result)
                .addKeyValue("ms", milliseconds);
        if (requestId != null) {
            line = line.addKeyValue("request_id", requestId);
        }
        line.log(
                "{}{} by {} from {}: {} {} in {} ms{}",
                call,
                what.isEmpty() ? "" : " " + what,
                caller,
                address,
                status,
                result,
                milliseconds,
                requestId == null ? "" : ", request " + requestId);
    }
}
