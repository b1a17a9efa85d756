package io.mykit.delay.controller.scope;

import io.mykit.delay.access.Principal;
import io.mykit.delay.access.scope.Names;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.controller.route.Route;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The routes of callers that are confined to a namespace. Each namespace has handlers of its own, over its own faces, which are made at its
 * first call: some kilobytes each, and no more than there are namespaces. Thread-safe.
 */
public final class ScopedRoutes {
    private final Function<Names, List<Route>> made;
    private final Map<String, Map<String, Route>> byNamespace = new ConcurrentHashMap<>();

    /** @param made makes the routes over the faces of a namespace; those that are not confined are left out */
    public ScopedRoutes(Function<Names, List<Route>> made) {
        this.made = made;
    }

    /**
     * The route that serves this caller.
     *
     * @throws DelayException FORBIDDEN if the caller is confined and the route is closed to it
     */
    public Route of(Route route, Principal caller) {
        if (!caller.isConfined() || Reach.of(route) == Reach.SAME) {
            return route;
        }
        Route own = byNamespace
                .computeIfAbsent(caller.namespace(), namespace -> routes(new Names(namespace)))
                .get(key(route));
        if (own == null) {
            throw new DelayException(
                    ErrorCode.FORBIDDEN,
                    "this call is about the whole queue, and the token is of the namespace " + caller.namespace());
        }
        return own;
    }

    /** Throws as {@link #of}. */
    public void check(Route route, Principal caller) {
        Route unused = of(route, caller);
    }

    private Map<String, Route> routes(Names names) {
        return made.apply(names).stream()
                .filter(route -> Reach.of(route) == Reach.CONFINED)
                .collect(Collectors.toUnmodifiableMap(ScopedRoutes::key, route -> route));
    }

    private static String key(Route route) {
        return route.methods() + " " + route.pattern();
    }
}
