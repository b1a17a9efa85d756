package io.mykit.delay.controller.route;

import static java.util.stream.Collectors.joining;

import io.vertx.core.http.HttpMethod;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The routes of one pattern, and the values of its path parameters in a request. Immutable. */
public final class Match {
    private final List<Route> routes;
    private final Map<String, String> path;

    Match(List<Route> routes, Map<String, String> path) {
        this.routes = routes;
        this.path = path;
    }

    /** The parameters of the path, decoded, by name. */
    public Map<String, String> path() {
        return path;
    }

    /** The name of the first route, for a request whose method belongs to no route. */
    public String name() {
        return routes.get(0).name();
    }

    public Optional<Route> route(HttpMethod method) {
        for (Route route : routes) {
            if (route.methods().contains(method)) {
                return Optional.of(route);
            }
        }
        return Optional.empty();
    }

    /** The methods, for the header {@code Allow}. */
    public String allowed() {
        return routes.stream()
                .flatMap(route -> route.methods().stream())
                .map(HttpMethod::name)
                .collect(joining(", "));
    }
}
