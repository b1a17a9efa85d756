package io.mykit.delay.ports.call;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A request whose head and body have arrived.
 *
 * @param method in capitals
 * @param path without its percent signs, see {@link Paths}
 * @param rawPath as it was sent; each character is a byte
 * @param query the parameters of the URL
 * @param headers in the order in which they came, names as they were written
 * @param body empty if the body is too large
 * @param tooLarge whether the body is larger than the route takes
 * @param address of the client
 * @param hangUp takes what must run if the client hangs up; at once if it has hung up
 */
@SuppressWarnings("ArrayRecordComponent") // The bytes go to the engine as they came; no code changes or compares them.
public record Request(
        String method,
        List<String> path,
        String rawPath,
        Query query,
        List<Map.Entry<String, String>> headers,
        byte[] body,
        boolean tooLarge,
        String address,
        Consumer<Runnable> hangUp) {
    /** The first header of this name; empty = none. */
    public String header(String name) {
        return headers.stream()
                .filter(header -> header.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }

    /** Leaves the body and the headers out: they are data and secrets. */
    @Override
    public String toString() {
        return method + " " + path;
    }
}
