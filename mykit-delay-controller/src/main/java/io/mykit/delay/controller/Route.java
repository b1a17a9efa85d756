package io.mykit.delay.controller;

import static java.util.stream.Collectors.joining;

import io.vertx.core.http.HttpMethod;
import java.util.List;

/**
 * One call of the contract.
 *
 * @param name its label in the metrics
 * @param parameters that it knows
 * @param maxBody bytes
 */
record Route(
        String name,
        Access access,
        List<HttpMethod> methods,
        ParameterNames parameters,
        int maxBody,
        CallHandler handler) {
    /** Whether it changes nothing. */
    boolean isRead() {
        return methods.contains(HttpMethod.HEAD);
    }

    boolean allows(HttpMethod method) {
        return methods.contains(method);
    }

    /** For the header {@code Allow}. */
    String allowed() {
        return methods.stream().map(HttpMethod::name).collect(joining(", "));
    }
}
