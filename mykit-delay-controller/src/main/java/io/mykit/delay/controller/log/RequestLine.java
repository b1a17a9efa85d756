package io.mykit.delay.controller.log;

import io.mykit.delay.controller.text.OneLine;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The line of one request: no query, no header but the agent's name, no body. Immutable.
 *
 * @param messageId or null
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
        long micros,
        long bytesIn,
        int bytesOut,
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
        LoggingEventBuilder line = to.atInfo()
                .addKeyValue("method", method)
                .addKeyValue("route", route)
                .addKeyValue("status", status)
                .addKeyValue("ms", micros / 1000.0)
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
                status,
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
