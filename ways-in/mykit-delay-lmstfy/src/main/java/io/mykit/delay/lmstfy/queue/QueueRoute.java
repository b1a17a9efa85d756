package io.mykit.delay.lmstfy.queue;

import io.mykit.delay.access.Role;
import io.mykit.delay.ports.call.Paths;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The calls of the public port, by method and path: {@code /api/<namespace>/<queue>} and what is below it. */
enum QueueRoute {
    PUBLISH("PUT", "api/*/*", Role.PRODUCER),
    BULK("PUT", "api/*/*/bulk", Role.PRODUCER),
    REPUBLISH("PUT", "api/*/*/job/*", Role.PRODUCER),
    CONSUME("GET", "api/*/*", Role.CONSUMER),
    PEEK("GET", "api/*/*/peek", Role.CONSUMER),
    JOB("GET", "api/*/*/job/*", Role.CONSUMER),
    ACK("DELETE", "api/*/*/job/*", Role.CONSUMER),
    SIZE("GET", "api/*/*/size", Role.CONSUMER),
    DESTROY("DELETE", "api/*/*", Role.CONSUMER),
    DEAD("GET", "api/*/*/deadletter", Role.CONSUMER),
    DEAD_SIZE("GET", "api/*/*/deadletter/size", Role.CONSUMER),
    RESPAWN("PUT", "api/*/*/deadletter", Role.CONSUMER),
    DISCARD("DELETE", "api/*/*/deadletter", Role.CONSUMER);

    private final String method;
    private final String form;
    private final Role role;

    QueueRoute(String method, String form, Role role) {
        this.method = method;
        this.form = form;
        this.role = role;
    }

    /** Empty = there is no such call. */
    static Optional<QueueRoute> find(String method, List<String> path) {
        return Arrays.stream(values())
                .filter(route -> route.method.equals(method) && Paths.match(route.form, path))
                .findFirst();
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
