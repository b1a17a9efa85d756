package io.mykit.delay.controller;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/** One request's way: route, token, body, handler, answer. Everything on the request's event loop. */
final class Exchange implements Handler<HttpServerRequest> {
    private static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");

    private final LoopQueue loop;
    private final Routes routes;
    private final Tokens tokens;
    private final RequestMetrics metrics;
    private final Connections connections;
    private final BodyBudget budget;
    private final BodyDeadlines deadlines;
    private final BooleanSupplier stopping;

    Exchange(
            LoopQueue loop,
            Routes routes,
            Tokens tokens,
            RequestMetrics metrics,
            Connections connections,
            BodyBudget budget,
            BodyDeadlines deadlines,
            BooleanSupplier stopping) {
        this.loop = loop;
        this.routes = routes;
        this.tokens = tokens;
        this.metrics = metrics;
        this.connections = connections;
        this.budget = budget;
        this.deadlines = deadlines;
        this.stopping = stopping;
    }

    @Override
    public void handle(HttpServerRequest request) {
        Arrived arrived = arrived(request);
        String label = RequestMetrics.NO_ROUTE;
        try {
            Routes.Match match = routes.find(request.path())
                    .orElseThrow(() -> new DelayException(ErrorCode.NOT_FOUND, "there is nothing at this path"));
            Route route = match.route();
            label = route.name();
            if (!route.allows(request.method())) {
                Reply reply = ErrorMapper.methodNotAllowed(request.method().name(), route.allowed());
                reader(arrived, label).refuse(reply);
                return;
            }
            tokens.check(route.access(), request.getHeader(HttpHeaders.AUTHORIZATION));
            reader(arrived, label).read(route.maxBody(), body -> answer(arrived, match, body));
        } catch (DelayException refused) {
            Reply reply = ErrorMapper.failure(refused).reply();
            reader(arrived, label).refuse(reply);
        }
    }

    /** Answers what the decoder could not read; where its next request would begin is unknown. */
    void undecodable(HttpServerRequest request) {
        Throwable cause = request.decoderResult().cause();
        write(arrived(request), RequestMetrics.NO_ROUTE, ErrorMapper.undecodable(cause), true);
    }

    private Arrived arrived(HttpServerRequest request) {
        return new Arrived(request, connections.begin(request.connection()), System.nanoTime());
    }

    private BodyReader reader(Arrived arrived, String route) {
        return new BodyReader(
                arrived.request(), deadlines, budget, (reply, close) -> write(arrived, route, reply, close));
    }

    private void answer(Arrived arrived, Routes.Match match, Buffer body) {
        int bytes = body.length();
        String route = match.route().name();
        CompletableFuture<Reply> answer = handle(arrived.request(), match, body);
        if (answer.isDone()) {
            write(arrived, route, bytes, answer);
        } else {
            // Whatever thread completes it, what follows is back on the event loop.
            CompletionStage<Reply> coming = answer;
            coming.whenComplete((reply, failure) -> loop.execute(() -> write(arrived, route, bytes, answer)));
        }
    }

    private CompletableFuture<Reply> handle(HttpServerRequest request, Routes.Match match, Buffer body) {
        try {
            Route route = match.route();
            String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
            Parameters parameters = Parameters.read(route.parameters(), request.query(), type, body);
            return route.handler().handle(new Call(match.pathId(), parameters, type, body, loop));
        } catch (RuntimeException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private void write(Arrived arrived, String route, int bytes, CompletableFuture<Reply> answer) {
        budget.giveBack(bytes);
        Reply reply;
        try {
            reply = answer.join();
        } catch (RuntimeException failed) {
            reply = ErrorMapper.failure(failed).reply();
        }
        write(arrived, route, reply, false);
    }

    private void write(Arrived arrived, String route, Reply reply, boolean cutOff) {
        // While the server is stopping, a client that comes again has to connect, and so finds another node.
        boolean close = cutOff || stopping.getAsBoolean();
        metrics.record(route, reply.status(), System.nanoTime() - arrived.nanos());
        arrived.use().end();
        HttpServerRequest request = arrived.request();
        HttpServerResponse response = request.response();
        if (response.ended() || response.closed()) {
            return;
        }
        response.setStatusCode(reply.status())
                .putHeader(HttpHeaders.CONTENT_TYPE, reply.contentType())
                .putHeader(HttpHeaders.CACHE_CONTROL, NO_STORE);
        reply.headers().forEach(response::putHeader);
        if (close) {
            response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
        Future<Void> ended = response.end(reply.body());
        if (close) {
            ended.onComplete(written -> request.connection().close());
        }
    }

    /** @param nanos when its head was in, by the monotonic clock */
    private record Arrived(HttpServerRequest request, Connections.Use use, long nanos) {}
}
