package io.mykit.delay.lmstfy.token;

import io.mykit.delay.access.Principal;

/**
 * A request that may go on. Immutable.
 *
 * @param token as the client gave it, without a pool; only for the answer to this client
 */
public record Admitted(Principal caller, String token) {
    /** Without the token. */
    @Override
    public String toString() {
        return caller.name();
    }
}
