package io.mykit.delay.lmstfy.token;

import io.mykit.delay.access.Access;
import io.mykit.delay.access.FailedLogins;
import io.mykit.delay.access.Principal;
import io.mykit.delay.access.Role;
import io.mykit.delay.access.TokenMeters;
import io.mykit.delay.access.Tokens;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.lmstfy.call.Refusal;
import io.mykit.delay.lmstfy.call.Request;

/**
 * Lets requests into a namespace. A token of the namespace with this name, or of no namespace, is good if it has the role of the call. So one
 * token of a team serves it here and at the native ports. Thread-safe; does not block.
 */
public final class Gate {
    private static final int UNAUTHORIZED = 401;

    private final boolean open;
    private final Tokens tokens;
    private final TokenMeters refusals;
    private final FailedLogins failed = new FailedLogins();

    /** @param open whether requests need no token */
    public Gate(boolean open, Tokens tokens, TokenMeters refusals) {
        this.open = open;
        this.tokens = tokens;
        this.refusals = refusals;
    }

    /**
     * Checks the pool and the token of a request.
     *
     * @throws Refusal 404 if the pool does not exist, 401
     * @throws DelayException STORE_UNAVAILABLE if the token cannot be checked
     */
    public void admit(Request request, String namespace, Role role) {
        TokenText given = TokenText.of(request);
        given.requirePool();
        if (open) {
            return;
        }
        if (given.text().isEmpty()) {
            throw new Refusal(UNAUTHORIZED, "token not found");
        }
        Principal caller = caller(given.text());
        boolean inside = !caller.isConfined() || caller.namespace().equals(namespace);
        if (caller.isAnonymous() || !inside || !caller.may(role)) {
            refusals.refused(ErrorCode.UNAUTHORIZED);
            long unused = failed.count(request.address());
            throw new Refusal(UNAUTHORIZED, "invalid token");
        }
    }

    private Principal caller(String token) {
        try {
            return tokens.admit(Access.KNOWN, "Bearer " + token);
        } catch (DelayException refused) {
            if (refused.code() == ErrorCode.UNAUTHORIZED) {
                return Principal.ANONYMOUS;
            }
            throw refused;
        }
    }
}
