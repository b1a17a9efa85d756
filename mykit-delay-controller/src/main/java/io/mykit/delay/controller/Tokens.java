package io.mykit.delay.controller;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.value.Secret;
import io.mykit.delay.config.HttpConfig;
import java.security.MessageDigest;
import java.util.Optional;

/**
 * Decides who may call what. With no token configured everything is open; the admin token may do everything; operators'
 * calls are never open as soon as any token is configured. Thread-safe.
 */
final class Tokens {
    private static final String SCHEME = "Bearer ";

    private final byte[] admin;
    private final byte[] producer;

    Tokens(HttpConfig config) {
        this.admin = bytes(config.adminToken());
        this.producer = bytes(config.producerToken());
    }

    /**
     * Returns if the call may go on.
     *
     * @param authorization the header of this name, or null
     * @throws DelayException UNAUTHORIZED or FORBIDDEN
     */
    void check(Access access, String authorization) {
        switch (access) {
            case PROBES, EVERYBODY -> {}
            case PRODUCERS -> checkProducer(authorization);
            case OPERATORS -> checkOperator(authorization);
        }
    }

    /** Whether no web page can make these calls, as it does not know the token. */
    boolean guard(Access access) {
        return switch (access) {
            case PROBES, EVERYBODY, OPERATORS -> admin != null || producer != null;
            case PRODUCERS -> producer != null;
        };
    }

    private void checkProducer(String authorization) {
        if (producer == null) {
            return;
        }
        byte[] given = given(authorization);
        // Both are always looked at, so that the time does not tell whose token it was.
        boolean isProducer = same(producer, given);
        boolean isAdmin = same(admin, given);
        if (!isProducer && !isAdmin) {
            throw unauthorized(given);
        }
    }

    private void checkOperator(String authorization) {
        if (admin == null) {
            if (producer != null) {
                throw new DelayException(
                        ErrorCode.FORBIDDEN,
                        "operators' calls are closed until mykit.delay.http.admin-token is configured");
            }
            return;
        }
        byte[] given = given(authorization);
        boolean isProducer = same(producer, given);
        if (same(admin, given)) {
            return;
        }
        if (isProducer) {
            throw new DelayException(ErrorCode.FORBIDDEN, "this call needs mykit.delay.http.admin-token");
        }
        throw unauthorized(given);
    }

    private static DelayException unauthorized(byte[] given) {
        return new DelayException(
                ErrorCode.UNAUTHORIZED,
                given == null ? "a token is needed: Authorization: Bearer <token>" : "the token is not known");
    }

    /** The token's bytes as they were on the wire; the decoder made a character of each. */
    private static byte[] given(String authorization) {
        if (authorization == null || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return null;
        }
        return authorization.substring(SCHEME.length()).strip().getBytes(ISO_8859_1);
    }

    /** In a time that does not tell how much of the token was right. */
    private static boolean same(byte[] expected, byte[] given) {
        return expected != null && given != null && MessageDigest.isEqual(expected, given);
    }

    private static byte[] bytes(Optional<Secret> token) {
        return token.map(secret -> secret.reveal().getBytes(UTF_8)).orElse(null);
    }
}
