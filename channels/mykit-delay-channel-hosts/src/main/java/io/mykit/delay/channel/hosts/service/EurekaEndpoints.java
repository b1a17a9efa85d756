package io.mykit.delay.channel.hosts.service;

import io.mykit.delay.channel.Reasons;
import io.mykit.delay.channel.hosts.destination.Schemes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Asks Eureka over its REST interface, {@code GET /apps/NAME}. If one server gives no usable answer, the next one is asked.
 * Thread-safe.
 */
public final class EurekaEndpoints implements EndpointResolver {
    private static final Duration FRESH_FOR = Duration.ofSeconds(30);
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    private final List<EurekaServer> servers;
    private final HttpGet http;
    private final Schemes schemes;

    private EurekaEndpoints(List<EurekaServer> servers, HttpGet http, Schemes schemes) {
        this.servers = servers;
        this.http = http;
        this.schemes = schemes;
    }

    /**
     * @param urls of the servers, with commas between, such as {@code http://user:password@eureka-1:8761/eureka}
     * @param http the owner closes it
     * @param schemes of the instances
     * @throws IllegalArgumentException if one is no URL; the message continues a sentence and shows no account
     */
    public static EurekaEndpoints of(String urls, HttpGet http, Schemes schemes) {
        return new EurekaEndpoints(EurekaServer.of(urls), http, schemes);
    }

    /** Checks the URLs as {@link #of} does. */
    public static void check(String urls) {
        if (EurekaServer.of(urls).isEmpty()) {
            throw new IllegalArgumentException("must have a URL, such as http://eureka:8761/eureka");
        }
    }

    @Override
    public CompletionStage<Endpoints> find(String service) {
        return ask(service, 0);
    }

    private CompletionStage<Endpoints> ask(String service, int index) {
        EurekaServer server = servers.get(index);
        return http.get(server.application(service), server.headers())
                .thenApply(this::read)
                .exceptionallyCompose(thrown -> {
                    if (index + 1 < servers.size()) {
                        return ask(service, index + 1);
                    }
                    Throwable cause = thrown instanceof CompletionException && thrown.getCause() != null
                            ? thrown.getCause()
                            : thrown;
                    return CompletableFuture.failedStage(
                            new IllegalStateException("Eureka at " + server + ": " + Reasons.of(cause), cause));
                });
    }

    private Endpoints read(HttpGet.Reply reply) {
        if (reply.status() == NOT_FOUND) {
            return new Endpoints(List.of(), FRESH_FOR);
        }
        if (reply.status() != OK) {
            throw new IllegalStateException("HTTP " + reply.status());
        }
        return new Endpoints(EurekaAnswer.instances(reply.body(), schemes), FRESH_FOR);
    }

    @Override
    public void close() {
        // The owner of the HTTP client closes it.
    }
}
