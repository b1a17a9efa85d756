package io.mykit.delay.access;

import io.mykit.delay.queue.store.StoredToken;
import java.util.List;
import java.util.Optional;

/**
 * The caller of one request. Its access is already checked, so a handler uses it only to distinguish callers. Immutable.
 *
 * @param name the name for logs and for counts by caller; never the token
 * @param roles the roles that the token was given; none = anonymous
 * @param namespace the namespace that the caller is confined to; {@value #ALL} = none
 * @param tokenId empty = the caller has no token, or one of the configuration
 * @param expiresMs when the token expires, epoch milliseconds; empty = never
 */
public record Principal(
        String name,
        List<Role> roles,
        String namespace,
        Optional<String> tokenId,
        Optional<Long> expiresMs,
        CallerLimits limits) {
    /** The namespace of callers that see the whole queue. */
    public static final String ALL = "*";

    public static final Principal ANONYMOUS = configured("anonymous");
    /** Has the producers' token of the configuration, which is that of consumers too. */
    public static final Principal PRODUCER = configured("producer", Role.PRODUCER, Role.CONSUMER);

    public static final Principal VIEWER = configured("viewer", Role.VIEWER);
    /** Has the admin token of the configuration. */
    public static final Principal OPERATOR = configured("operator", Role.ADMIN);

    private static Principal configured(String name, Role... roles) {
        return new Principal(name, List.of(roles), ALL, Optional.empty(), Optional.empty(), CallerLimits.NONE);
    }

    /**
     * The caller with a token of the table.
     *
     * @param ofNamespace the limits of its namespace
     */
    public static Principal of(StoredToken token, NamespaceLimits ofNamespace) {
        boolean confined = !token.namespace().equals(ALL);
        return new Principal(
                "token " + token.tokenId() + (confined ? " of " + token.namespace() : ""),
                Role.read(token.roles()),
                token.namespace(),
                Optional.of(token.tokenId()),
                Optional.ofNullable(token.expiresMs()),
                new CallerLimits(token.pushRate(), token.pullRate(), ofNamespace));
    }

    /** Whether the caller may make the calls of a role. */
    public boolean may(Role role) {
        return roles.stream().anyMatch(own -> own.includes(role));
    }

    /** Whether the caller sees one namespace alone, by names without its prefix. */
    public boolean isConfined() {
        return !namespace.equals(ALL);
    }

    public boolean isAnonymous() {
        return roles.isEmpty();
    }

    /** The one role that tells most about the caller. An administrator is an operator too. */
    public Role role() {
        return List.of(Role.OPERATOR, Role.PRODUCER, Role.CONSUMER, Role.VIEWER).stream()
                .filter(this::may)
                .findFirst()
                .orElse(Role.ANONYMOUS);
    }
}
