package io.mykit.delay.controller.http;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.Client;
import io.mykit.delay.controller.call.Parameters;
import io.mykit.delay.controller.call.Principal;
import io.mykit.delay.controller.guard.PageGuard;
import io.mykit.delay.controller.guard.Tokens;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.controller.route.Match;
import io.mykit.delay.controller.route.Route;
import io.mykit.delay.controller.route.Routes;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves each request: route, caller, body, handler, answer. All steps run on the request's event loop. */
final class Exchange implements Handler<HttpServerRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
    /** The bytes of an answer's head and of the objects that belong to it. */
    private static final int HEAD_BYTES = 512;

    private static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");

    private final LoopQueue loop;
    private final Routes routes;
    private final Tokens tokens;
    private final PageGuard pages;
    private final RequestMetrics metrics;
    private final Connections connections;
    private final BodyBudget budget;
    private final BodyBudget answers;
    private final BodyDeadlines deadlines;
    private final BooleanSupplier stopping;

    Exchange(
            LoopQueue loop,
            Routes routes,
            Tokens tokens,
            PageGuard pages,
            RequestMetrics metrics,
            Connections connections,
            BodyBudget budget,
            BodyBudget answers,
            BodyDeadlines deadlines,
            BooleanSupplier stopping) {
        this.loop = loop;
        this.routes = routes;
        this.tokens = tokens;
        this.pages = pages;
        this.metrics = metrics;
        this.connections = connections;
        this.budget = budget;
        this.answers = answers;
        this.deadlines = deadlines;
        this.stopping = stopping;
    }

    @Override
    public void handle(HttpServerRequest request) {
        Arrived arrived = arrived(request);
        if (arrived.use().mustRead()) {
            request.pause();
            arrived.use()
                    .whenRead(() -> guarded(arrived, () -> {
                        request.resume();
                        handle(arrived);
                    }));
        } else {
            guarded(arrived, () -> handle(arrived));
        }
    }

    /** After an Error the connection of the request is closed. The close gives back the bytes that were counted for it. */
    private static void guarded(Arrived arrived, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error defect) {
            Connections.cutOff(arrived.request().connection());
            LOG.error("A request could not be answered, its connection is closed", defect);
        }
    }

    private void handle(Arrived arrived) {
        HttpServerRequest request = arrived.request();
        String label = RequestMetrics.NO_ROUTE;
        try {
            Match match = routes.find(request.path())
                    .orElseThrow(() -> new DelayException(ErrorCode.NOT_FOUND, "there is nothing at this path"));
            label = match.name();
            Optional<Route> allowed = match.route(request.method());
            if (allowed.isEmpty()) {
                Reply reply = ErrorMapper.methodNotAllowed(request.method().name(), match.allowed());
                reader(arrived, label).refuse(reply);
                return;
            }
            Route route = allowed.get();
            label = route.name();
            pages.check(route, request.method(), request.headers());
            Principal caller = tokens.admit(route.access(), request.getHeader(HttpHeaders.AUTHORIZATION));
            Admitted call = new Admitted(arrived, route, match.path(), caller);
            reader(arrived, label).read(route.maxBody(), body -> guarded(arrived, () -> answer(call, body)));
        } catch (DelayException refused) {
            Reply reply = ErrorMapper.failure(refused).reply();
            reader(arrived, label).refuse(reply);
        }
    }

    /** Answers bytes that the decoder could not read. The begin of the next request is unknown then. */
    void undecodable(HttpServerRequest request) {
        Throwable cause = request.decoderResult().cause();
        write(arrived(request), RequestMetrics.NO_ROUTE, ErrorMapper.undecodable(cause), true);
    }

    private Arrived arrived(HttpServerRequest request) {
        return new Arrived(request, connections.begin(request.connection()), loop, System.nanoTime());
    }

    private BodyReader reader(Arrived arrived, String route) {
        return new BodyReader(
                arrived.request(), deadlines, budget, (reply, close) -> write(arrived, route, reply, close));
    }

    private void answer(Admitted call, Buffer body) {
        int bytes = body.length();
        Arrived arrived = call.arrived();
        Route route = call.route();
        CompletableFuture<Reply> answer = handle(call, body);
        if (answer.isDone()) {
            budget.giveBack(bytes);
            writeCounted(arrived, route.name(), reply(route, answer), false);
        } else {
            CompletionStage<Reply> coming = answer;
            coming.whenComplete((ready, failure) -> {
                budget.giveBack(bytes);
                guarded(arrived, () -> answer(arrived, route, answer));
            });
        }
    }

    /**
     * Any thread may complete the future. That thread counts the answer, because large answers may pile up, and the event
     * loop writes it.
     */
    private void answer(Arrived arrived, Route route, CompletableFuture<Reply> answer) {
        Reply reply = reply(route, answer);
        loop.execute(() -> guarded(arrived, () -> writeCounted(arrived, route.name(), reply, false)));
    }

    private static CompletableFuture<Reply> handle(Admitted call, Buffer body) {
        try {
            HttpServerRequest request = call.arrived().request();
            Route route = call.route();
            String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
            Parameters parameters = Parameters.read(route.parameters(), request.query(), type, body);
            return route.handler().handle(new Call(call.path(), parameters, type, body, call.caller(), call.arrived()));
        } catch (RuntimeException | Error refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    /** The answer to write. From here on it counts as an unread answer. */
    private Reply reply(Route route, CompletableFuture<Reply> answer) {
        Reply reply;
        try {
            reply = answer.join();
        } catch (RuntimeException failed) {
            reply = ErrorMapper.failure(failed).reply();
        }
        if (route.isRead()) {
            if (answers.take(size(reply))) {
                return reply;
            }
            reply = ErrorMapper.failure(ErrorCode.BUSY, "too many answers were not read yet; try again")
                    .reply();
        }
        // A call that changed data is answered in any case. Such answers are short.
        answers.force(size(reply));
        return reply;
    }

    private static int size(Reply reply) {
        return reply.body().length() + HEAD_BYTES;
    }

    private void write(Arrived arrived, String route, Reply reply, boolean close) {
        answers.force(size(reply));
        writeCounted(arrived, route, reply, close);
    }

    private void writeCounted(Arrived arrived, String route, Reply reply, boolean cutOff) {
        // While the server stops, the next request of a client needs a new connection, which leads to another node.
        boolean close = cutOff || stopping.getAsBoolean();
        metrics.record(route, reply.status(), System.nanoTime() - arrived.nanos());
        arrived.use().end();
        HttpServerRequest request = arrived.request();
        HttpServerResponse response = request.response();
        int bytes = size(reply);
        if (response.ended() || response.closed()) {
            answers.giveBack(bytes);
            return;
        }
        Future<Void> ended;
        try {
            ended = send(arrived, reply, bytes, close);
        } catch (RuntimeException | Error defect) {
            answers.giveBack(bytes);
            throw defect;
        }
        if (ended.isComplete()) {
            wentOut(arrived.use(), bytes);
        } else {
            ended.onComplete(out -> wentOut(arrived.use(), bytes));
        }
        if (close) {
            ended.onComplete(written -> request.connection().close());
        }
    }

    private static Future<Void> send(Arrived arrived, Reply reply, int bytes, boolean close) {
        HttpServerResponse response = arrived.request().response();
        response.setStatusCode(reply.status())
                .putHeader(HttpHeaders.CONTENT_TYPE, reply.contentType())
                .putHeader(HttpHeaders.CACHE_CONTROL, NO_STORE);
        reply.headers().forEach(response::putHeader);
        if (close) {
            response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
        // This runs before the end of the answer, because the next request of this connection may begin there.
        arrived.use().unread(bytes);
        return response.end(reply.body());
    }

    private void wentOut(Connections.Use use, int bytes) {
        answers.giveBack(bytes);
        use.wentOut(bytes);
    }

    /**
     * @param nanos the time at which its head was complete, by the monotonic clock
     */
    private record Arrived(HttpServerRequest request, Connections.Use use, LoopQueue loop, long nanos)
            implements Client {
        @Override
        public void whenHungUp(Runnable task) {
            use.whenHungUp(() -> guarded(this, task));
        }
    }

    /** An allowed request whose body has to be read. */
    private record Admitted(Arrived arrived, Route route, Map<String, String> path, Principal caller) {}
}
