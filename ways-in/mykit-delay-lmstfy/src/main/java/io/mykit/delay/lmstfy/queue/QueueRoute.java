package io.mykit.delay.lmstfy.queue;

import io.mykit.delay.access.Role;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The calls of the public port, by method and path below {@code /api/<namespace>/<queue>}. */
enum QueueRoute {
    PUBLISH("PUT", "", Role.PRODUCER),
    BULK("PUT", "bulk", Role.PRODUCER),
    REPUBLISH("PUT", "job/*", Role.PRODUCER),
    CONSUME("GET", "", Role.CONSUMER),
    PEEK("GET", "peek", Role.CONSUMER),
    JOB("GET", "job/*", Role.CONSUMER),
    ACK("DELETE", "job/*", Role.CONSUMER),
    SIZE("GET", "size", Role.CONSUMER),
    DESTROY("DELETE", "", Role.CONSUMER),
    DEAD("GET", "deadletter", Role.CONSUMER),
    DEAD_SIZE("GET", "deadletter/size", Role.CONSUMER),
    RESPAWN("PUT", "deadletter", Role.CONSUMER),
    DISCARD("DELETE", "deadletter", Role.CONSUMER);

    /** {@code api}, namespace, queue. */
    private static final int HEAD = 3;

    private final String method;
    private final String below;
    private final Role role;

    QueueRoute(String method, String below, Role role) {
        this.method = method;
        this.below = below;
        this.role = role;
    }

    /** Empty = there is no such call. */
    static Optional<QueueRoute> find(String method, List<String> path) {
        if (path.size() < HEAD || !path.get(0).equals("api") || path.contains("")) {
            return Optional.empty();
        }
        String below = String.join("/", path.subList(HEAD, path.size()));
        boolean ofJob = path.size() == HEAD + 2 && path.get(HEAD).equals("job");
        String pattern = ofJob ? "job/*" : below;
        for (QueueRoute route : values()) {
            if (route.method.equals(method) && route.below.equals(pattern)) {
                return Optional.of(route);
            }
        }
        return Optional.empty();
    }

    Role role() {
        return role;
    }

    /** The name in the log of requests. */
    String word() {
        return "lmstfy-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    boolean isSize() {
        return this == SIZE || this == DEAD_SIZE;
    }
}
