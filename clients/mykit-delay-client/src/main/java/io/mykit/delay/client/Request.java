package io.mykit.delay.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.time.Duration;

/**
 * One call, before an endpoint is chosen for it. Immutable.
 *
 * @param path with the query
 * @param body JSON; empty = none
 * @param patience the time that the server may take in addition to the client's timeout
 * @param repeatable whether another try is safe after a try whose answer was lost
 */
record Request(String method, String path, String body, Duration patience, boolean repeatable) {
    static Request get(String path) {
        return new Request("GET", path, "", Duration.ZERO, true);
    }

    static Request post(String path, String body) {
        return new Request("POST", path, body, Duration.ZERO, true);
    }

    static Request delete(String path) {
        return new Request("DELETE", path, "", Duration.ZERO, true);
    }

    /** The same call, to which the server answers later. */
    Request waiting(Duration forAnswer) {
        return new Request(method, path, body, forAnswer, repeatable);
    }

    /** The same call, which is not tried again once it may have been carried out. */
    Request once() {
        return new Request(method, path, body, patience, false);
    }

    /** A text as a part of a path or of a query. */
    static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }
}
