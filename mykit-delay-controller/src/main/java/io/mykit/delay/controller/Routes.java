package io.mykit.delay.controller;

import static io.vertx.core.http.HttpMethod.DELETE;
import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.HEAD;
import static io.vertx.core.http.HttpMethod.POST;

import io.mykit.delay.config.HttpConfig;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.http.HttpMethod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which path is which call. Paths are compared exactly; what follows a prefix is an id and may contain slashes. */
final class Routes {
    private static final List<HttpMethod> PUSH = List.of(POST);
    /** HEAD only where GET changes nothing. */
    private static final List<HttpMethod> READ = List.of(GET, HEAD);

    private static final List<HttpMethod> COMMAND = List.of(GET, POST);
    private static final List<HttpMethod> CANCEL = List.of(GET, POST, DELETE);

    private static final ParameterNames RESTORE = ParameterNames.of("expire", "topic", "dryRun", "stop", "resume");
    /** There is no resume: what was cancelled is not met again. */
    private static final ParameterNames CLEAR = ParameterNames.of("topic", "dryRun", "stop");

    private final Map<String, Optional<Match>> exact = new HashMap<>();
    private final Map<String, Route> prefixes = new HashMap<>();

    Routes(HttpConfig config, Handlers handlers) {
        int max = config.maxBodySize();
        exact("/push", new Route("push", Access.PRODUCERS, PUSH, ParameterNames.NONE, max, handlers.push()));
        exact(
                "/push/batch",
                new Route(
                        "batch", Access.PRODUCERS, PUSH, ParameterNames.NONE, config.maxBatchSize(), handlers.batch()));
        exact("/delete", new Route("delete", Access.PRODUCERS, CANCEL, ParameterNames.ID, max, handlers.cancel()));
        prefixes.put("/job/", new Route("job", Access.PRODUCERS, READ, ParameterNames.ID, max, handlers.job()));

        Route restoreOne =
                new Route("restoreJob", Access.OPERATORS, COMMAND, ParameterNames.ID, max, handlers.restoreOne());
        exact("/reStoreJob", restoreOne);
        prefixes.put("/reStore/", restoreOne);
        prefixes.put("/restore/", restoreOne);
        Route restoreAll = new Route("restore", Access.OPERATORS, COMMAND, RESTORE, max, handlers.restoreAll());
        exact("/reStore", restoreAll);
        exact("/restore", restoreAll);
        exact("/clearAll", new Route("clearAll", Access.OPERATORS, COMMAND, CLEAR, max, handlers.clear()));

        exact("/health", new Route("health", Access.EVERYBODY, READ, ParameterNames.IGNORED, max, handlers.health()));
        exact("/health/live", new Route("live", Access.PROBES, READ, ParameterNames.IGNORED, max, handlers.live()));
        exact("/health/ready", new Route("ready", Access.PROBES, READ, ParameterNames.IGNORED, max, handlers.ready()));
        exact("/metrics", new Route("metrics", Access.PROBES, READ, ParameterNames.IGNORED, max, handlers.metrics()));
    }

    /**
     * The route of this raw path.
     *
     * @throws io.mykit.delay.common.error.DelayException INVALID_REQUEST if it cannot be decoded
     */
    Optional<Match> find(String rawPath) {
        String path = rawPath.indexOf('%') < 0 ? rawPath : decode(rawPath);
        Optional<Match> match = exact.get(path);
        if (match != null) {
            return match;
        }
        return prefixes.entrySet().stream()
                .filter(prefix -> path.startsWith(prefix.getKey()))
                .findFirst()
                .map(prefix -> new Match(
                        prefix.getValue(), path.substring(prefix.getKey().length())));
    }

    private void exact(String path, Route route) {
        exact.put(path, Optional.of(new Match(route, null)));
    }

    private static String decode(String rawPath) {
        if (rawPath.indexOf('#') >= 0) {
            // The decoder would cut the id off there.
            throw FieldRules.invalid("# must be written as %23");
        }
        try {
            return new QueryStringDecoder(rawPath).path();
        } catch (IllegalArgumentException badEscape) {
            throw FieldRules.invalid("malformed percent-encoding");
        }
    }

    /** @param pathId the id in the path, or null if the route has none */
    record Match(Route route, String pathId) {}

    /** What each route does. */
    record Handlers(
            CallHandler push,
            CallHandler batch,
            CallHandler cancel,
            CallHandler job,
            CallHandler restoreOne,
            CallHandler restoreAll,
            CallHandler clear,
            CallHandler health,
            CallHandler live,
            CallHandler ready,
            CallHandler metrics) {}
}
