package io.mykit.delay.lmstfy.admin;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/** The calls of the admin port. */
enum AdminRoute {
    POOLS("GET", "pools", false),
    INFO("GET", "info", false),
    VERSION("GET", "version", false),
    TOKENS("GET", "token/*", true),
    MAKE("POST", "token/*", true),
    DELETE("DELETE", "token/*/*", true),
    LIMIT("GET", "token/*/*/limit", true),
    ADD_LIMIT("POST", "token/*/*/limit", true),
    SET_LIMIT("PUT", "token/*/*/limit", true),
    REMOVE_LIMIT("DELETE", "token/*/*/limit", true),
    LIMITS("GET", "limits", true),
    ACCESS_LOG("GET", "accesslog", false),
    SET_ACCESS_LOG("POST", "accesslog", true);

    private final String method;
    /** A star stands for any text. */
    private final String pattern;

    private final boolean account;

    AdminRoute(String method, String pattern, boolean account) {
        this.method = method;
        this.pattern = pattern;
        this.account = account;
    }

    /** Empty = there is no such call. */
    static Optional<AdminRoute> find(String method, List<String> path) {
        if (path.contains("")) {
            return Optional.empty();
        }
        for (AdminRoute route : values()) {
            if (route.method.equals(method) && route.matches(path)) {
                return Optional.of(route);
            }
        }
        return Optional.empty();
    }

    private boolean matches(List<String> path) {
        String[] parts = pattern.split("/", -1);
        return parts.length == path.size()
                && IntStream.range(0, parts.length).allMatch(i -> parts[i].equals("*") || parts[i].equals(path.get(i)));
    }

    /** The name in the log of requests. */
    String word() {
        return "lmstfy-admin-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    boolean needsAccount() {
        return account;
    }
}
