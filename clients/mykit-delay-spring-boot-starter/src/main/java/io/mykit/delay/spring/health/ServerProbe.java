package io.mykit.delay.spring.health;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** Asks each server whether it accepts messages, and the listeners whether the servers refuse them. Thread-safe. */
public final class ServerProbe {
    private static final String READY = "UP";
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final HttpClient http;
    private final List<String> endpoints;
    private final Supplier<Map<String, String>> refusals;

    /** @param refusals the reasons by topic */
    public ServerProbe(HttpClient http, List<String> endpoints, Supplier<Map<String, String>> refusals) {
        this.http = http;
        this.endpoints = List.copyOf(endpoints);
        this.refusals = refusals;
    }

    /** Up while one server is ready. */
    public Finding look() {
        Map<String, String> states = states();
        Map<String, Object> details = new LinkedHashMap<>(states);
        Map<String, String> refused = refusals.get();
        if (!refused.isEmpty()) {
            details.put("refusedListeners", refused);
        }
        return new Finding(states.containsValue(READY), details);
    }

    /** The state of each server, in the order of the configuration: UP, or the reason why not. Takes two seconds at most. */
    private Map<String, String> states() {
        Map<String, CompletableFuture<String>> answers = new LinkedHashMap<>();
        endpoints.forEach(endpoint -> answers.put(endpoint, state(endpoint)));
        Map<String, String> states = new LinkedHashMap<>();
        answers.forEach((endpoint, answer) -> states.put(endpoint, answer.join()));
        return states;
    }

    private CompletableFuture<String> state(String endpoint) {
        String url = endpoint.endsWith("/") ? endpoint.substring(0, endpoint.length() - 1) : endpoint;
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/health/ready"))
                .timeout(TIMEOUT)
                .build();
        return http.sendAsync(request, BodyHandlers.discarding())
                .thenApply(answer -> answer.statusCode() == 200 ? READY : "HTTP " + answer.statusCode())
                .exceptionally(ServerProbe::reason);
    }

    private static String reason(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause.getClass().getSimpleName();
    }
}
