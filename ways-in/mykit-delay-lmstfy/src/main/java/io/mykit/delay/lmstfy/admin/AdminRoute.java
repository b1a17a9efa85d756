package io.mykit.delay.lmstfy.admin;

import java.util.List;
import java.util.Optional;

/** The calls of the admin port. */
enum AdminRoute {
    POOLS("GET", "pools", 1, false),
    INFO("GET", "info", 1, false),
    VERSION("GET", "version", 1, false),
    TOKENS("GET", "token", 2, true),
    MAKE("POST", "token", 2, true),
    DELETE("DELETE", "token", 3, true);

    private final String method;
    private final String first;
    private final int parts;
    private final boolean account;

    AdminRoute(String method, String first, int parts, boolean account) {
        this.method = method;
        this.first = first;
        this.parts = parts;
        this.account = account;
    }

    /** Empty = there is no such call. */
    static Optional<AdminRoute> find(String method, List<String> path) {
        if (path.contains("")) {
            return Optional.empty();
        }
        for (AdminRoute route : values()) {
            if (route.method.equals(method) && route.parts == path.size() && route.first.equals(path.get(0))) {
                return Optional.of(route);
            }
        }
        return Optional.empty();
    }

    boolean needsAccount() {
        return account;
    }
}
