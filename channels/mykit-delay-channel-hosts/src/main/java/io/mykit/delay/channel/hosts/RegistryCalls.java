package io.mykit.delay.channel.hosts;

import io.mykit.delay.channel.hosts.destination.Destination;
import io.mykit.delay.channel.hosts.service.HttpGet;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Asks registries by the HTTP client of the channel. Thread-safe. */
public final class RegistryCalls implements HttpGet {
    /** Two registries that hang one after the other end within the time of {@code KnownService}. */
    private static final int TIMEOUT_SECONDS = 4;
    /** Some thousands of instances. */
    private static final int MAX_BYTES = 4 * 1024 * 1024;

    private final HttpLink link;
    private final Lookups lookups;

    public RegistryCalls(HttpLink link, Lookups lookups) {
        this.link = link;
        this.lookups = lookups;
    }

    @Override
    public CompletionStage<Reply> get(Destination destination, Map<String, String> headers) {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        lookups.addresses(destination).whenComplete((addresses, thrown) -> {
            if (thrown != null) {
                reply.completeExceptionally(thrown);
                return;
            }
            link.onLoop(() -> link.connectRegistry(destination, addresses, headers)
                    .onComplete(request -> send(request, reply), reply::completeExceptionally));
        });
        return reply.orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    private void send(HttpClientRequest request, CompletableFuture<Reply> reply) {
        // Also after the timeout, which ends the reply on another thread.
        var unused = reply.whenComplete((done, thrown) -> {
            if (thrown != null) {
                link.onLoop(request::reset);
            }
        });
        // Vert.x logs an answer that is no HTTP as severe, unless there is a handler. The reply has the reason.
        request.connection().exceptionHandler(broken -> {});
        request.send().onComplete(answer -> read(answer, reply), reply::completeExceptionally);
    }

    private static void read(HttpClientResponse answer, CompletableFuture<Reply> reply) {
        Buffer body = Buffer.buffer();
        answer.exceptionHandler(reply::completeExceptionally);
        answer.endHandler(ended -> reply.complete(new Reply(answer.statusCode(), body)));
        answer.handler(part -> {
            if (body.length() + part.length() > MAX_BYTES) {
                reply.completeExceptionally(
                        new IllegalStateException("the answer is longer than " + MAX_BYTES + " bytes"));
            } else {
                body.appendBuffer(part);
            }
        });
    }
}
