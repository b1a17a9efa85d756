package io.mykit.delay.test.http;

import static io.mykit.delay.test.http.BadRequest.call;

import java.util.stream.Stream;

/** Faulty calls that change the level of a logger. Those with a JSON body are in LogCallsTest. */
final class BadLogCalls {
    private BadLogCalls() {}

    static Stream<BadRequest> all() {
        return Stream.of(
                call("POST", "/log", "logger is required"),
                call(
                        "POST",
                        "/log?logger=io.mykit.delay",
                        "unknown parameter logger; this call has no parameters, its fields stand in the JSON body"),
                call(
                        "GET",
                        "/log?level=debug",
                        "unknown parameter level; this call has no parameters, its fields stand in the JSON body"),
                call("DELETE", "/log", 405, "METHOD_NOT_ALLOWED", "DELETE is not allowed here, only GET, HEAD, POST"));
    }
}
