package io.mykit.delay.access.log;

import io.mykit.delay.common.text.OneLine;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The line of one request: no query, no header but the agent's name, no body. Immutable.
 *
 * @param messageId or null
 * @param status of an answer of HTTP; 0 = the request is a call of gRPC
 * @param grpcStatus the name of its status, or null
 * @param micros from the head of the request to its answer
 * @param agent or null
 * @param traceId or null
 * @param spanId or null
 */
record RequestLine(
        String method,
        String route,
        String messageId,
        int status,
        String grpcStatus,
        long micros,
        long bytesIn,
        long bytesOut,
        String address,
        String caller,
        String requestId,
        String agent,
        String traceId,
        String spanId) {
    private static final int MAX_TEXT = 128;
    private static final int MAX_AGENT = 64;

    RequestLine {
        method = OneLine.of(method, MAX_TEXT);
        messageId = messageId == null ? null : OneLine.of(messageId, MAX_TEXT);
        agent = agent == null ? null : OneLine.of(agent, MAX_AGENT);
    }

    void write(Logger to) {
        String ms = String.format(Locale.ROOT, "%.3f", micros / 1000.0);
        LoggingEventBuilder line = to.atInfo().addKeyValue("method", method).addKeyValue("route", route);
        line = grpcStatus == null ? line.addKeyValue("status", status) : line.addKeyValue("grpcStatus", grpcStatus);
        line = line.addKeyValue("ms", micros / 1000.0)
                .addKeyValue("bytesIn", bytesIn)
                .addKeyValue("bytesOut", bytesOut)
                .addKeyValue("address", address)
                .addKeyValue("caller", caller)
                .addKeyValue("request_id", requestId);
        if (messageId != null) {
            line = line.addKeyValue("messageId", messageId);
        }
        if (agent != null) {
            line = line.addKeyValue("userAgent", agent);
        }
        if (traceId != null) {
            line = line.addKeyValue("trace_id", traceId);
        }
        if (spanId != null) {
            line = line.addKeyValue("span_id", spanId);
        }
        line.log(
                "{} {}{} {} {} ms, {} bytes in, {} out, {} {}, request {}{}{}",
                method,
                route,
                messageId == null ? "" : " " + messageId,
                grpcStatus == null ? status : grpcStatus,
                ms,
                bytesIn,
                bytesOut,
                address,
                caller,
                requestId,
                traceId == null ? "" : ", trace " + traceId,
                agent == null ? "" : ", " + agent);
    }
}
