package io.mykit.delay.controller.route;

import io.mykit.delay.access.Access;
import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.call.ParameterNames;
import io.vertx.core.http.HttpMethod;
import java.util.List;
import java.util.regex.Pattern;

/**
 * One call of the contract. Each part of the HTTP interface contributes its own routes. Several routes may have the same
 * name, if a call has several paths. They may have the same path, if their methods differ.
 *
 * @param name the label in the metrics
 * @param pattern the pattern of its path: {@code /push}, {@code /get/{topic}/ack}, {@code /job/{id...}} where the last
 *     takes the rest of the path, slashes included
 * @param parameters the known parameters of the query and the form
 * @param maxBody the maximum of bytes in a body
 */
public record Route(
        String name,
        Access access,
        List<HttpMethod> methods,
        String pattern,
        ParameterNames parameters,
        int maxBody,
        CallHandler handler) {
    /** Methods of calls that change no data. Only these calls have HEAD. */
    public static final List<HttpMethod> READ = List.of(HttpMethod.GET, HttpMethod.HEAD);

    public static final List<HttpMethod> POST = List.of(HttpMethod.POST);
    /** Methods of commands, which a user may also enter in a browser's address line. */
    public static final List<HttpMethod> COMMAND = List.of(HttpMethod.GET, HttpMethod.POST);

    public static final List<HttpMethod> REMOVE = List.of(HttpMethod.GET, HttpMethod.POST, HttpMethod.DELETE);

    private static final Pattern TOPIC = Pattern.compile("(^|&)topic=");
    private static final Pattern BIZ_KEY = Pattern.compile("(^|&)bizKey=");

    public Route {
        methods = List.copyOf(methods);
    }

    /**
     * The route of a request with this query, whose access is decided.
     *
     * @param query raw, or null. A name that is encoded does not count, so a request is never allowed more than its parameters say
     */
    public Route asked(String query) {
        if (access != Access.KNOWN_BY_KEY) {
            return this;
        }
        boolean keyed = query != null
                && TOPIC.matcher(query).find()
                && BIZ_KEY.matcher(query).find();
        Access decided = keyed ? Access.KNOWN : Access.VIEWERS;
        return new Route(name, decided, methods, pattern, parameters, maxBody, handler);
    }

    /** Whether the call changes no data. */
    public boolean isRead() {
        return methods.contains(HttpMethod.HEAD);
    }
}
