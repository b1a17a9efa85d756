package io.mykit.delay.controller.guard;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.value.Secret;
import io.mykit.delay.config.HttpConfig;
import io.mykit.delay.controller.call.Principal;
import io.mykit.delay.controller.call.Role;
import io.mykit.delay.controller.route.Access;
import java.security.MessageDigest;
import java.util.Optional;

/**
 * Identifies the caller by its token, and decides which calls it may make. Without a configured token all calls are open.
 * The admin token allows all calls. If any token is configured, operators' calls are never open. Thread-safe.
 */
public final class Tokens {
    private static final String SCHEME = "Bearer ";

    private final byte[] admin;
    private final byte[] producer;

    public Tokens(HttpConfig config) {
        this.admin = bytes(config.adminToken());
        this.producer = bytes(config.producerToken());
    }

    /**
     * The caller, if this call is allowed for it.
     *
     * @param authorization the header of this name, or null
     * @throws DelayException UNAUTHORIZED or FORBIDDEN
     */
    public Principal admit(Access access, String authorization) {
        if (admin == null && producer == null) {
            return Principal.ANONYMOUS;
        }
        byte[] given = given(authorization);
        Principal caller = caller(given);
        switch (access) {
            case PROBES, EVERYBODY -> {}
            case PRODUCERS -> checkProducer(caller, given);
            case VIEWERS -> checkOperator(caller, given);
            case OPERATORS -> checkOperator(caller, given);
        }
        return caller;
    }

    /** Whether a token protects these calls from foreign web pages, which do not know it. */
    boolean guard(Access access) {
        return switch (access) {
            case PROBES, EVERYBODY, VIEWERS, OPERATORS -> admin != null || producer != null;
            case PRODUCERS -> producer != null;
        };
    }

    private Principal caller(byte[] given) {
        // Both tokens are always compared, so that the time does not show whose token it was.
        boolean isProducer = same(producer, given);
        boolean isAdmin = same(admin, given);
        return isAdmin ? Principal.OPERATOR : isProducer ? Principal.PRODUCER : Principal.ANONYMOUS;
    }

    private void checkProducer(Principal caller, byte[] given) {
        if (producer != null && caller.role() == Role.ANONYMOUS) {
            throw unauthorized(given);
        }
    }

    private void checkOperator(Principal caller, byte[] given) {
        if (admin == null) {
            throw new DelayException(
                    ErrorCode.FORBIDDEN,
                    "operators' calls are closed until mykit.delay.http.admin-token is configured");
        }
        switch (caller.role()) {
            case OPERATOR -> {}
            case PRODUCER ->
                throw new DelayException(ErrorCode.FORBIDDEN, "this call needs mykit.delay.http.admin-token");
            case ANONYMOUS -> throw unauthorized(given);
        }
    }

    private static DelayException unauthorized(byte[] given) {
        return new DelayException(
                ErrorCode.UNAUTHORIZED,
                given == null ? "a token is needed: Authorization: Bearer <token>" : "the token is not known");
    }

    /** The bytes of the token as they were on the wire; the decoder made one character of each. */
    private static byte[] given(String authorization) {
        if (authorization == null || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return null;
        }
        return authorization.substring(SCHEME.length()).strip().getBytes(ISO_8859_1);
    }

    /** Compares in a time that does not show how much of the token was right. */
    private static boolean same(byte[] expected, byte[] given) {
        return expected != null && given != null && MessageDigest.isEqual(expected, given);
    }

    private static byte[] bytes(Optional<Secret> token) {
        return token.map(secret -> secret.reveal().getBytes(UTF_8)).orElse(null);
    }
}
