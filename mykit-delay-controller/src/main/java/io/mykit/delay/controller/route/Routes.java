package io.mykit.delay.controller.route;

import io.mykit.delay.common.text.Misspelling;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the routes of a path. A literal path wins over a pattern with parameters, and a more exact pattern over a less
 * exact one. The method is compared only after that, so a path has the methods of one pattern. Immutable.
 */
public final class Routes {
    private final Map<String, Optional<Match>> literal = new HashMap<>();
    private final List<Parametric> parametric = new ArrayList<>();

    /**
     * @throws IllegalArgumentException if a pattern is invalid, or if two routes would serve the same requests
     */
    public Routes(List<Route> routes) {
        Map<String, PathPattern> byShape = new HashMap<>();
        Map<PathPattern, List<Route>> byPattern = new HashMap<>();
        for (Route route : routes) {
            PathPattern pattern = new PathPattern(route.pattern());
            PathPattern twin = byShape.putIfAbsent(pattern.shape(), pattern);
            if (twin != null && !twin.equals(pattern)) {
                throw new IllegalArgumentException(pattern + " serves the same paths as " + twin);
            }
            byPattern.computeIfAbsent(pattern, any -> new ArrayList<>()).add(route);
        }
        byPattern.forEach((pattern, served) -> {
            requireDistinctMethods(pattern, served);
            if (pattern.hasParameters()) {
                parametric.add(new Parametric(pattern, List.copyOf(served)));
            } else {
                literal.put(pattern.toString(), Optional.of(new Match(List.copyOf(served), Map.of())));
            }
        });
        parametric.sort((a, b) -> a.pattern().compareTo(b.pattern()));
    }

    /**
     * The routes of this path, given as in the request.
     *
     * @throws io.mykit.delay.common.error.DelayException INVALID_REQUEST if it cannot be decoded
     */
    public Optional<Match> find(String rawPath) {
        RequestPath path = new RequestPath(rawPath);
        Optional<Match> exact = literal.get(path.text());
        if (exact != null) {
            return exact;
        }
        for (Parametric candidate : parametric) {
            Optional<Map<String, String>> values = candidate.pattern().match(path);
            if (values.isPresent()) {
                return Optional.of(new Match(candidate.routes(), values.get()));
            }
        }
        return Optional.empty();
    }

    /** The path or pattern that a path without routes is probably a misspelling of. */
    public Optional<String> nearest(String rawPath) {
        String path = new RequestPath(rawPath).text();
        Optional<String> near = Misspelling.nearest(path, literal.keySet());
        if (near.isPresent()) {
            return near;
        }
        return parametric.stream()
                .map(candidate -> candidate.pattern().toString())
                .filter(pattern -> Misspelling.nearest(firstSegment(path), List.of(firstSegment(pattern)))
                        .isPresent())
                .findFirst();
    }

    private static String firstSegment(String path) {
        int end = path.indexOf('/', 1);
        return end < 0 ? path : path.substring(0, end);
    }

    private static void requireDistinctMethods(PathPattern pattern, List<Route> routes) {
        Set<Object> methods = new HashSet<>();
        for (Route route : routes) {
            if (!route.methods().stream().allMatch(methods::add)) {
                throw new IllegalArgumentException(pattern + " has two routes for one method");
            }
        }
    }

    private record Parametric(PathPattern pattern, List<Route> routes) {}
}
