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
 * Identifies the caller by its token, and decides which calls it may make. A token is one of the three of the configuration, or one that an
 * administrator made. Without any token all calls are open but those of administrators. The admin token allows all calls. If there is any
 * token, the calls of viewers and operators are never open. The viewer token allows no call that changes data. Thread-safe.
 */
public final class Tokens {
    private static final String SCHEME = "Bearer ";

    private static final String ROOT = "mykit.delay.http.";

    private final byte[] admin;
    private final byte[] producer;
    private final byte[] viewer;
    private final KnownTokens known;

    public Tokens(HttpConfig config, KnownTokens known) {
        this(config.adminToken(), config.producerToken(), config.viewerToken(), known);
    }

    Tokens(Optional<Secret> admin, Optional<Secret> producer, Optional<Secret> viewer, KnownTokens known) {
        this.admin = bytes(admin);
        this.producer = bytes(producer);
        this.viewer = bytes(viewer);
        this.known = known;
    }

    /**
     * The caller, if this call is allowed for it.
     *
     * @param authorization the header of this name, or null
     * @throws DelayException UNAUTHORIZED or FORBIDDEN; STORE_UNAVAILABLE if the token may be one that this node could not read
     */
    public Principal admit(Access access, String authorization) {
        byte[] given = given(authorization);
        KnownTokens.Found found = find(given);
        if (found.refusal() != null && !access.isOpen()) {
            // A caller that names a namespace by its token must never be taken for one without a token.
            throw found.refusal();
        }
        Optional<Refusal> refusal = refusal(access, found.caller(), given != null);
        if (refusal.isPresent()) {
            throw new DelayException(refusal.get().code(), refusal.get().message());
        }
        return found.caller();
    }

    /**
     * The caller that a token stands for, whatever it may call.
     *
     * @param authorization the header of this name, or null
     */
    public Principal caller(String authorization) {
        return find(given(authorization)).caller();
    }

    /** Whether there is any token. */
    public boolean areConfigured() {
        return admin != null || producer != null || viewer != null || known.any();
    }

    /** Whether a caller that was identified may make these calls. */
    public boolean allow(Access access, Principal caller) {
        return refusal(access, caller, false).isEmpty();
    }

    /** Whether a token protects these calls from foreign web pages, which do not know it. */
    public boolean guard(Access access) {
        return switch (access) {
            case PROBES, EVERYBODY, LOGIN, VIEWERS, KNOWN, KNOWN_BY_KEY, SCRAPES, OPERATORS, ADMINS -> areConfigured();
            case PRODUCERS, CONSUMERS, PRODUCERS_AND_VIEWERS -> producersNeedToken();
        };
    }

    private KnownTokens.Found find(byte[] given) {
        // All tokens are always compared, so that the time does not show whose token it was.
        boolean isProducer = same(producer, given);
        boolean isViewer = same(viewer, given);
        boolean isAdmin = same(admin, given);
        if (isAdmin || isProducer || isViewer) {
            return new KnownTokens.Found(
                    isAdmin ? Principal.OPERATOR : isProducer ? Principal.PRODUCER : Principal.VIEWER, null);
        }
        return given == null ? KnownTokens.Found.NOTHING : known.find(new String(given, ISO_8859_1));
    }

    private Optional<Refusal> refusal(Access access, Principal caller, boolean hasToken) {
        if (!areConfigured()) {
            return access == Access.ADMINS ? ofAdmins(caller, hasToken) : Optional.empty();
        }
        return switch (access) {
            case PROBES, EVERYBODY -> Optional.empty();
            case LOGIN -> caller.isAnonymous() && hasToken ? unauthorized(true) : Optional.empty();
            case PRODUCERS_AND_VIEWERS ->
                caller.isAnonymous() && producersNeedToken(hasToken) ? unauthorized(hasToken) : Optional.empty();
            case PRODUCERS -> ofProducers(Role.PRODUCER, caller, hasToken);
            case CONSUMERS -> ofProducers(Role.CONSUMER, caller, hasToken);
            case KNOWN -> caller.isAnonymous() ? unauthorized(hasToken) : Optional.empty();
            case VIEWERS, KNOWN_BY_KEY, SCRAPES -> ofReads(caller, hasToken);
            case OPERATORS -> ofOperators(caller, hasToken);
            case ADMINS -> ofAdmins(caller, hasToken);
        };
    }

    /** Whether the calls of producers and consumers are closed to callers without a token. */
    private boolean producersNeedToken() {
        return producer != null || known.anyHas(Role.PRODUCER, Role.CONSUMER);
    }

    /**
     * Where there are tokens in the database, a token that nobody knows may be one of a namespace, which was deleted or was made on another
     * node a moment ago. It is never taken for none.
     */
    private boolean producersNeedToken(boolean hasToken) {
        return producersNeedToken() || (hasToken && known.any());
    }

    private Optional<Refusal> ofProducers(Role needed, Principal caller, boolean hasToken) {
        if (caller.isAnonymous()) {
            return producersNeedToken(hasToken) ? unauthorized(hasToken) : Optional.empty();
        }
        if (caller.may(needed)) {
            return Optional.empty();
        }
        return forbidden(
                caller.tokenId().isPresent()
                        ? needsRole(needed)
                        : "the token of " + ROOT + "viewer-token allows no call that changes data");
    }

    private Optional<Refusal> ofReads(Principal caller, boolean hasToken) {
        if (admin == null && viewer == null && !known.anyHas(Role.VIEWER, Role.OPERATOR, Role.ADMIN)) {
            return forbidden("calls that show the queue are closed until " + ROOT + "viewer-token or " + ROOT
                    + "admin-token is configured");
        }
        return of(Role.VIEWER, ROOT + "viewer-token or " + ROOT + "admin-token", caller, hasToken);
    }

    private Optional<Refusal> ofOperators(Principal caller, boolean hasToken) {
        if (admin == null && !known.anyHas(Role.OPERATOR, Role.ADMIN)) {
            return forbidden("operators' calls are closed until " + ROOT + "admin-token is configured");
        }
        return of(Role.OPERATOR, ROOT + "admin-token", caller, hasToken);
    }

    private Optional<Refusal> ofAdmins(Principal caller, boolean hasToken) {
        if (admin == null && !known.anyHas(Role.ADMIN)) {
            return forbidden("administrators' calls are closed until " + ROOT
                    + "admin-token is configured, or a token with the role admin is made on the command line");
        }
        return of(Role.ADMIN, ROOT + "admin-token", caller, hasToken);
    }

    private static Optional<Refusal> of(Role needed, String keys, Principal caller, boolean hasToken) {
        if (caller.isAnonymous()) {
            return unauthorized(hasToken);
        }
        if (caller.may(needed)) {
            return Optional.empty();
        }
        return forbidden(caller.tokenId().isPresent() ? needsRole(needed) : "this call needs " + keys);
    }

    private static String needsRole(Role role) {
        return "this call needs a token with the role " + role.word();
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
