package io.mykit.delay.lmstfy.token;

import io.mykit.delay.lmstfy.call.Refusal;
import io.mykit.delay.ports.call.Request;

/**
 * A token as clients send it, {@code [pool:]token}.
 *
 * @param text empty = none was given
 */
record TokenText(String pool, String text) {
    private static final String DEFAULT = "default";
    private static final int NO_POOL = 404;

    static TokenText of(Request request) {
        String header = request.header("X-Token");
        return of(header.isEmpty() ? request.query().find("token").orElse("") : header);
    }

    static TokenText of(String given) {
        int colon = given.indexOf(':');
        return colon < 0
                ? new TokenText(DEFAULT, given)
                : new TokenText(given.substring(0, colon), given.substring(colon + 1));
    }

    /** @throws Refusal 404 */
    void requirePool() {
        if (!isDefault(pool)) {
            throw new Refusal(NO_POOL, "pool not found");
        }
    }

    static boolean isDefault(String pool) {
        return pool.isEmpty() || pool.equals(DEFAULT);
    }

    /** Without the token. */
    @Override
    public String toString() {
        return pool + ":***";
    }
}
