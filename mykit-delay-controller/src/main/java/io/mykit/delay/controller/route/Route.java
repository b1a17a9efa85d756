package io.mykit.delay.controller.route;

import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.call.ParameterNames;
import io.vertx.core.http.HttpMethod;
import java.util.List;

/**
 * One call of the contract. Each part of the HTTP interface contributes its own; several routes may have the same name,
 * where a call has several paths, and the same path, if they differ in their methods.
 *
 * @param name its label in the metrics
 * @param pattern of its path: {@code /push}, {@code /get/{topic}/ack}, {@code /job/{id...}} where the last takes the rest
 *     of the path, slashes included
 * @param parameters those of the query and the form that it knows
 * @param maxBody bytes
 */
public record Route(
        String name,
        Access access,
        List<HttpMethod> methods,
        String pattern,
        ParameterNames parameters,
        int maxBody,
        CallHandler handler) {
    /** HEAD only where GET changes nothing. */
    public static final List<HttpMethod> READ = List.of(HttpMethod.GET, HttpMethod.HEAD);

    public static final List<HttpMethod> POST = List.of(HttpMethod.POST);
    /** Commands that a person may give with a browser's address line. */
    public static final List<HttpMethod> COMMAND = List.of(HttpMethod.GET, HttpMethod.POST);

    public static final List<HttpMethod> REMOVE = List.of(HttpMethod.GET, HttpMethod.POST, HttpMethod.DELETE);

    public Route {
        methods = List.copyOf(methods);
    }

    /** Whether it changes nothing. */
    public boolean isRead() {
        return methods.contains(HttpMethod.HEAD);
    }
}
