package io.mykit.delay.test.http;

import static io.mykit.delay.test.http.BadRequest.call;

import java.util.stream.Stream;

/** Faulty calls about tokens; without an administrator they are all closed. Those with a JSON body are in TokenCallsTest. */
final class BadTokenCalls {
    private BadTokenCalls() {}

    static Stream<BadRequest> all() {
        String closed = "administrators' calls are closed until mykit.delay.http.admin-token is configured, or a token"
                + " with the role admin is made on the command line";
        return Stream.of(
                call("GET", "/tokens", 403, "FORBIDDEN", closed),
                call("POST", "/tokens", 403, "FORBIDDEN", closed),
                call("GET", "/namespaces", 403, "FORBIDDEN", closed),
                call("POST", "/namespaces", 403, "FORBIDDEN", closed),
                call("POST", "/namespaces/change", 403, "FORBIDDEN", closed),
                call("POST", "/namespaces/delete", 403, "FORBIDDEN", closed),
                call("POST", "/tokens/change", 403, "FORBIDDEN", closed),
                call("POST", "/tokens/delete?tokenId=x", 403, "FORBIDDEN", closed),
                call(
                        "DELETE",
                        "/tokens",
                        405,
                        "METHOD_NOT_ALLOWED",
                        "DELETE is not allowed here, only GET, HEAD, POST"));
    }
}
