package io.mykit.delay.access;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.value.Secret;
import io.mykit.delay.config.HttpConfig;
import java.security.MessageDigest;
import java.util.Optional;

/**
 * Identifies the caller by its token, and decides which calls it may make. Without a configured token all calls are open.
 * The admin token allows all calls. If any token is configured, the calls of viewers and operators are never open. The viewer
 * token allows no call that changes data. Thread-safe.
 */
public final class Tokens {
    private static final String SCHEME = "Bearer ";

    private static final String ROOT = "mykit.delay.http.";

    private final byte[] admin;
    private final byte[] producer;
    private final byte[] viewer;

    public Tokens(HttpConfig config) {
        this(config.adminToken(), config.producerToken(), config.viewerToken());
    }

    Tokens(Optional<Secret> admin, Optional<Secret> producer, Optional<Secret> viewer) {
        this.admin = bytes(admin);
        this.producer = bytes(producer);
        this.viewer = bytes(viewer);
    }

    /**
     * The caller, if this call is allowed for it.
     *
     * @param authorization the header of this name, or null
     * @throws DelayException UNAUTHORIZED or FORBIDDEN
     */
    public Principal admit(Access access, String authorization) {
        if (!areConfigured()) {
            return Principal.ANONYMOUS;
        }
        byte[] given = given(authorization);
        Principal caller = caller(given);
        Optional<Refusal> refusal = refusal(access, caller.role(), given != null);
        if (refusal.isPresent()) {
            throw new DelayException(refusal.get().code(), refusal.get().message());
        }
        return caller;
    }

    /**
     * The caller that a token stands for, whatever it may call.
     *
     * @param authorization the header of this name, or null
     */
    public Principal caller(String authorization) {
        return caller(given(authorization));
    }

    /** Whether any token is configured. */
    public boolean areConfigured() {
        return admin != null || producer != null || viewer != null;
    }

    /** Whether a caller that was identified may make these calls. */
    public boolean allow(Access access, Principal caller) {
        return !areConfigured() || refusal(access, caller.role(), false).isEmpty();
    }

    /** Whether a token protects these calls from foreign web pages, which do not know it. */
    public boolean guard(Access access) {
        return switch (access) {
            case PROBES, EVERYBODY, LOGIN, VIEWERS, KNOWN, KNOWN_BY_KEY, SCRAPES, OPERATORS -> areConfigured();
            case PRODUCERS, PRODUCERS_AND_VIEWERS -> producer != null;
        };
    }

    private Principal caller(byte[] given) {
        // All tokens are always compared, so that the time does not show whose token it was.
        boolean isProducer = same(producer, given);
        boolean isViewer = same(viewer, given);
        boolean isAdmin = same(admin, given);
        if (isAdmin) {
            return Principal.OPERATOR;
        }
        return isProducer ? Principal.PRODUCER : isViewer ? Principal.VIEWER : Principal.ANONYMOUS;
    }

    private Optional<Refusal> refusal(Access access, Role role, boolean hasToken) {
        boolean unknown = role == Role.ANONYMOUS;
        return switch (access) {
            case PROBES, EVERYBODY -> Optional.empty();
            case LOGIN -> unknown && hasToken ? unauthorized(true) : Optional.empty();
            case PRODUCERS_AND_VIEWERS -> unknown && producer != null ? unauthorized(hasToken) : Optional.empty();
            case PRODUCERS -> {
                if (role == Role.VIEWER) {
                    yield forbidden("the token of " + ROOT + "viewer-token allows no call that changes data");
                }
                yield unknown && producer != null ? unauthorized(hasToken) : Optional.empty();
            }
            case KNOWN -> unknown ? unauthorized(hasToken) : Optional.empty();
            case VIEWERS, KNOWN_BY_KEY, SCRAPES -> ofReads(role, hasToken);
            case OPERATORS -> ofOperators(role, hasToken);
        };
    }

    private Optional<Refusal> ofReads(Role role, boolean hasToken) {
        if (admin == null && viewer == null) {
            return forbidden("calls that show the queue are closed until " + ROOT + "viewer-token or " + ROOT
                    + "admin-token is configured");
        }
        return switch (role) {
            case VIEWER, OPERATOR -> Optional.empty();
            case PRODUCER -> forbidden("this call needs " + ROOT + "viewer-token or " + ROOT + "admin-token");
            case ANONYMOUS -> unauthorized(hasToken);
        };
    }

    private Optional<Refusal> ofOperators(Role role, boolean hasToken) {
        if (admin == null) {
            return forbidden("operators' calls are closed until " + ROOT + "admin-token is configured");
        }
        return switch (role) {
            case OPERATOR -> Optional.empty();
            case PRODUCER, VIEWER -> forbidden("this call needs " + ROOT + "admin-token");
            case ANONYMOUS -> unauthorized(hasToken);
        };
    }

    private static Optional<Refusal> forbidden(String message) {
        return Optional.of(new Refusal(ErrorCode.FORBIDDEN, message));
    }

    private static Optional<Refusal> unauthorized(boolean hasToken) {
        return Optional.of(new Refusal(
                ErrorCode.UNAUTHORIZED,
                hasToken ? "the token is not known" : "a token is needed: Authorization: Bearer <token>"));
    }

    /** The bytes of the token as they were on the wire; the decoder made one character of each. */
    private static byte[] given(String authorization) {
        if (!isBearer(authorization)) {
            return null;
        }
        return authorization.substring(SCHEME.length()).strip().getBytes(ISO_8859_1);
    }

    /** Whether the header {@code Authorization} carries a token, known or not. A page cannot make a browser send one. */
    public static boolean isBearer(String authorization) {
        return authorization != null && authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
    }

    /** Compares in a time that does not show how much of the token was right. */
    private static boolean same(byte[] expected, byte[] given) {
        return expected != null && given != null && MessageDigest.isEqual(expected, given);
    }

    private static byte[] bytes(Optional<Secret> token) {
        return token.map(secret -> secret.reveal().getBytes(UTF_8)).orElse(null);
    }

    private record Refusal(ErrorCode code, String message) {}
}
