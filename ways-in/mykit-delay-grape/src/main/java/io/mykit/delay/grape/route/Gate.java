package io.mykit.delay.grape.route;

import io.mykit.delay.access.Access;
import io.mykit.delay.access.FailedLogins;
import io.mykit.delay.access.Principal;
import io.mykit.delay.access.TokenMeters;
import io.mykit.delay.access.Tokens;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.ports.call.Request;

/**
 * Lets requests in. Grape has no tokens; the server may have. As soon as it has one, each request needs one, unless the port is open. A token
 * of a namespace is good if the tubes belong to this namespace. Thread-safe; does not block.
 */
public final class Gate {
    private final boolean open;
    private final String prefix;
    private final Tokens tokens;
    private final TokenMeters refusals;
    private final FailedLogins failed = new FailedLogins();

    /**
     * @param open whether requests need no token
     * @param prefix of the topics of all tubes
     */
    public Gate(boolean open, String prefix, Tokens tokens, TokenMeters refusals) {
        this.open = open;
        this.prefix = prefix;
        this.tokens = tokens;
        this.refusals = refusals;
    }

    /**
     * The caller of a request.
     *
     * @throws DelayException UNAUTHORIZED or FORBIDDEN; STORE_UNAVAILABLE if the token cannot be checked
     */
    Principal admit(Request request, GrapeRoute route) {
        if (open) {
            return Principal.ANONYMOUS;
        }
        String given = request.header("Authorization");
        try {
            Principal caller = tokens.admit(Access.KNOWN, given.isEmpty() ? null : given);
            if (!caller.isAnonymous()) {
                require(caller, route);
            }
            return caller;
        } catch (DelayException refused) {
            if (refused.code() == ErrorCode.UNAUTHORIZED || refused.code() == ErrorCode.FORBIDDEN) {
                refusals.refused(refused.code());
            }
            if (refused.code() == ErrorCode.UNAUTHORIZED && !given.isEmpty()) {
                long unused = failed.count(request.address());
            }
            throw refused;
        }
    }

    /** Whether each request needs a token now. */
    boolean isClosed() {
        return !open && tokens.guard(Access.KNOWN);
    }

    private void require(Principal caller, GrapeRoute route) {
        route.role().filter(role -> !caller.may(role)).ifPresent(role -> {
            throw new DelayException(ErrorCode.FORBIDDEN, "this call needs a token with the role " + role.word());
        });
        if (caller.isConfined() && !prefix.equals(caller.namespace() + "/")) {
            throw new DelayException(ErrorCode.FORBIDDEN, "the tubes are not in the namespace of this token");
        }
    }
}
