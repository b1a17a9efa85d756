package io.mykit.delay.grape.route;

import io.mykit.delay.access.Role;
import io.mykit.delay.ports.call.Paths;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The calls of the port, by method and path. */
enum GrapeRoute {
    PRODUCE("POST", "api/job/produce", Role.PRODUCER),
    CONSUME("GET", "api/job/consume", Role.CONSUMER),
    DELETE("DELETE", "api/job/delete", Role.PRODUCER),
    FINISH("DELETE", "api/job/finish", Role.CONSUMER),
    DISCARD("DELETE", "api/job/discard", Role.CONSUMER),
    RELEASE("PUT", "api/job/release", Role.CONSUMER),
    KICK("PUT", "api/job/kick", Role.CONSUMER),
    BURY("PUT", "api/job/bury", Role.CONSUMER),
    /** The old name of bury. */
    FAILURE("PUT", "api/job/failure", Role.CONSUMER),
    PEEK("GET", "api/job/peek", Role.CONSUMER),
    TUBE_CREATE("POST", "api/tube/create", Role.PRODUCER),
    TUBE_DELETE("POST", "api/tube/delete", Role.OPERATOR),
    TUBE_LIST("GET", "api/tube/list", null),
    TUBE_STATS("GET", "api/tube/stats", null),
    TUBE_STATS_OF("GET", "api/tube/stats/*", null);

    private final String method;
    private final String path;
    private final Role role;

    GrapeRoute(String method, String path, Role role) {
        this.method = method;
        this.path = path;
        this.role = role;
    }

    /** Empty = there is no such call. */
    static Optional<GrapeRoute> find(String method, List<String> path) {
        return Arrays.stream(values())
                .filter(route -> route.method.equals(method) && Paths.match(route.path, path))
                .findFirst();
    }

    /** The role of a token that may make the call; empty = each token may. */
    Optional<Role> role() {
        return Optional.ofNullable(role);
    }

    /** The name in the log of requests. */
    String word() {
        return "grape-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
