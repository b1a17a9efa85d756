package io.mykit.delay.controller;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** One request's way: route, token, body, handler, answer. Everything on the request's event loop. */
final class Exchange implements Handler<HttpServerRequest> {
    private final Vertx vertx;
    private final Routes routes;
    private final Tokens tokens;
    private final RequestMetrics metrics;
    private final Connections connections;
    private final BodyBudget budget;
    private final Duration bodyBound;

    Exchange(
            Vertx vertx,
            Routes routes,
            Tokens tokens,
            RequestMetrics metrics,
            Connections connections,
            BodyBudget budget,
            Duration bodyBound) {
        this.vertx = vertx;
        this.routes = routes;
        this.tokens = tokens;
        this.metrics = metrics;
        this.connections = connections;
        this.budget = budget;
        this.bodyBound = bodyBound;
    }

    @Override
    public void handle(HttpServerRequest request) {
        long startedNanos = System.nanoTime();
        connections.begin(request.connection());
        String label = RequestMetrics.NO_ROUTE;
        try {
            Routes.Match match = routes.find(request.path())
                    .orElseThrow(() -> new DelayException(ErrorCode.NOT_FOUND, "there is nothing at this path"));
            Route route = match.route();
            label = route.name();
            if (!route.allows(request.method())) {
                Reply reply = ErrorMapper.methodNotAllowed(request.method().name(), route.allowed());
                reader(request, label, startedNanos).refuse(reply);
                return;
            }
            tokens.check(route.access(), request.getHeader(HttpHeaders.AUTHORIZATION));
            reader(request, label, startedNanos)
                    .read(route.maxBody(), body -> answer(request, match, body, startedNanos));
        } catch (DelayException refused) {
            Reply reply = ErrorMapper.failure(refused).reply();
            reader(request, label, startedNanos).refuse(reply);
        }
    }

    /** Answers what the decoder could not read; where its next request would begin is unknown. */
    void undecodable(HttpServerRequest request) {
        Throwable cause = request.decoderResult().cause();
        write(request, RequestMetrics.NO_ROUTE, System.nanoTime(), ErrorMapper.undecodable(cause), true);
    }

    private BodyReader reader(HttpServerRequest request, String route, long startedNanos) {
        return new BodyReader(
                vertx, request, bodyBound, budget, (of, reply, close) -> write(of, route, startedNanos, reply, close));
    }

    private void answer(HttpServerRequest request, Routes.Match match, Buffer body, long startedNanos) {
        int bytes = body.length();
        Context context = vertx.getOrCreateContext();
        Call call = new Call(
                match.pathId(),
                request.query(),
                request.getHeader(HttpHeaders.CONTENT_TYPE),
                body,
                task -> context.runOnContext(now -> task.run()));
        // Whatever thread completes it, what follows is back on the event loop.
        Future.fromCompletionStage(handle(match.route(), call), context).onComplete(done -> {
            budget.giveBack(bytes);
            Reply reply = done.succeeded()
                    ? done.result()
                    : ErrorMapper.failure(done.cause()).reply();
            write(request, match.route().name(), startedNanos, reply, false);
        });
    }

    private static CompletableFuture<Reply> handle(Route route, Call call) {
        try {
            return route.handler().handle(call);
        } catch (RuntimeException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private void write(HttpServerRequest request, String route, long startedNanos, Reply reply, boolean close) {
        metrics.record(route, reply.status(), System.nanoTime() - startedNanos);
        connections.end(request.connection());
        HttpServerResponse response = request.response();
        if (response.ended() || response.closed()) {
            return;
        }
        response.setStatusCode(reply.status())
                .putHeader(HttpHeaders.CONTENT_TYPE, reply.contentType())
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        reply.headers().forEach(response::putHeader);
        if (close) {
            response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
        response.end(reply.body()).onComplete(ended -> {
            if (close) {
                request.connection().close();
            }
        });
    }
}
