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
import io.mykit.delay.ports.call.Later;
import io.mykit.delay.ports.call.Request;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Lets requests into a namespace. A token of the namespace with this name, or of no namespace, is good if it has the role of the call. So one
 * token of a team serves it here and at the native ports. Thread-safe; does not block.
 */
public final class Gate {
    private static final int UNAUTHORIZED = 401;
    /** The pauses before further looks at an unknown token. */
    private static final List<Duration> LOOKS =
            List.of(Duration.ofMillis(50), Duration.ofMillis(150), Duration.ofMillis(400));

    private final boolean open;
    private final Tokens tokens;
    private final TokenMeters refusals;
    private final Later later;
    private final FailedLogins failed = new FailedLogins();

    /** @param open whether requests need no token */
    public Gate(boolean open, Tokens tokens, TokenMeters refusals, Later later) {
        this.open = open;
        this.tokens = tokens;
        this.refusals = refusals;
        this.later = later;
    }

    /**
     * Checks the pool and the token of a request. Another node may have made the token a moment ago: with lmstfy all nodes know it at once. So
     * an unknown one is looked at again before it is refused.
     *
     * @return fails with a {@link Refusal} of 401, or a {@link DelayException} STORE_UNAVAILABLE if the token cannot be checked
     * @throws Refusal 404 if the pool does not exist, 401 without a token
     */
    public CompletableFuture<Admitted> admit(Request request, String namespace, Role role) {
        TokenText given = TokenText.of(request);
        given.requirePool();
        if (open) {
            return CompletableFuture.completedFuture(new Admitted(Principal.ANONYMOUS, given.text()));
        }
        if (given.text().isEmpty()) {
            throw new Refusal(UNAUTHORIZED, "token not found");
        }
        CompletableFuture<Admitted> admitted = new CompletableFuture<>();
        look(given.text(), namespace, role, request.address(), 0, admitted);
        return admitted;
    }

    /** Whether each request needs a token. */
    public boolean isClosed() {
        return !open;
    }

    private void look(
            String token, String namespace, Role role, String address, int look, CompletableFuture<Admitted> admitted) {
        try {
            Principal caller = caller(token);
            if (isGood(caller, namespace, role)) {
                admitted.complete(new Admitted(caller, token));
            } else if (look < LOOKS.size()) {
                later.in(LOOKS.get(look), () -> look(token, namespace, role, address, look + 1, admitted));
            } else {
                refusals.refused(ErrorCode.UNAUTHORIZED);
                long unused = failed.count(address);
                admitted.completeExceptionally(new Refusal(UNAUTHORIZED, "invalid token"));
            }
        } catch (RuntimeException failure) {
            admitted.completeExceptionally(failure);
        }
    }

    private static boolean isGood(Principal caller, String namespace, Role role) {
        boolean inside = !caller.isConfined() || caller.namespace().equals(namespace);
        return !caller.isAnonymous() && inside && caller.may(role);
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
