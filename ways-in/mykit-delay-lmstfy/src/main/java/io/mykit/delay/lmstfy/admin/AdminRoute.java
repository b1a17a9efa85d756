package io.mykit.delay.lmstfy.admin;

import io.mykit.delay.ports.call.Paths;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

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
    private final String form;
    private final boolean account;

    AdminRoute(String method, String form, boolean account) {
        this.method = method;
        this.form = form;
        this.account = account;
    }

    /** Empty = there is no such call. */
    static Optional<AdminRoute> find(String method, List<String> path) {
        return Arrays.stream(values())
                .filter(route -> route.method.equals(method) && Paths.match(route.form, path))
                .findFirst();
    }

    /** The name in the log of requests. */
    String word() {
        return "lmstfy-admin-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    boolean needsAccount() {
        return account;
    }
}
