package io.mykit.delay.controller.http;

import io.mykit.delay.access.FailedLogins;
import io.mykit.delay.access.Principal;
import io.mykit.delay.access.TokenMeters;
import io.mykit.delay.access.Tokens;
import io.mykit.delay.access.log.RequestLog;
import io.mykit.delay.access.trace.RequestTrace;
import io.mykit.delay.access.trace.RequestTraces;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.trace.TraceContext;
import io.mykit.delay.controller.audit.Audit;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.Parameters;
import io.mykit.delay.controller.guard.PageGuard;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.controller.route.Match;
import io.mykit.delay.controller.route.Route;
import io.mykit.delay.controller.route.Routes;
import io.mykit.delay.controller.scope.ScopedRoutes;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Serves each request: route, caller, body, handler, answer. All steps run on the request's event loop. */
final class Exchange implements Handler<HttpServerRequest> {
    private final LoopQueue loop;
    private final Routes routes;
    private final ScopedRoutes scoped;
    private final Tokens tokens;
    private final Audit audit;
    private final PageGuard pages;
    private final FailedLogins logins;
    private final TokenMeters refusals;
    private final Connections connections;
    private final BodyBudget budget;
    private final BodyDeadlines deadlines;
    private final Answers answers;
    private final RequestLog requests;
    private final RequestTraces traces;

    Exchange(
            LoopQueue loop,
            Routes routes,
            ScopedRoutes scoped,
            Tokens tokens,
            Audit audit,
            PageGuard pages,
            FailedLogins logins,
            TokenMeters refusals,
            Connections connections,
            BodyBudget budget,
            BodyDeadlines deadlines,
            Answers answers,
            RequestLog requests,
            RequestTraces traces) {
        this.loop = loop;
        this.routes = routes;
        this.scoped = scoped;
        this.tokens = tokens;
        this.audit = audit;
        this.pages = pages;
        this.logins = logins;
        this.refusals = refusals;
        this.connections = connections;
        this.budget = budget;
        this.deadlines = deadlines;
        this.answers = answers;
        this.requests = requests;
        this.traces = traces;
    }

    @Override
    public void handle(HttpServerRequest request) {
        if (connections.isEnding(request.connection())) {
            return;
        }
        Arrived arrived = arrived(request);
        if (arrived.use().mustRead()) {
            request.pause();
            arrived.use()
                    .whenRead(() -> arrived.guarded(() -> {
                        request.resume();
                        handle(arrived);
                    }));
        } else {
            arrived.guarded(() -> handle(arrived));
        }
    }

    private void handle(Arrived arrived) {
        HttpServerRequest request = arrived.request();
        String label = RequestMetrics.NO_ROUTE;
        Optional<Reply> refusal = Framing.refusal(request);
        if (refusal.isPresent()) {
            answers.write(arrived, label, refusal.get(), true);
            return;
        }
        try {
            Match match = routes.find(request.path()).orElseThrow(() -> nothingAt(request.path()));
            label = match.name();
            Optional<Route> allowed = match.route(request.method());
            if (allowed.isEmpty()) {
                Reply reply = ErrorMapper.methodNotAllowed(request.method().name(), match.allowed());
                reader(arrived, label).refuse(reply);
                return;
            }
            Route route = allowed.get().asked(request.query());
            label = route.name();
            pages.check(route, request.method(), request.headers());
            Principal caller = admit(route, request);
            arrived.mark().admitted(caller.name(), match.path().get(Call.ID));
            Admitted call = new Admitted(arrived, scoped.of(route, caller), match.path(), caller);
            reader(arrived, label).read(route.maxBody(), body -> arrived.guarded(() -> answer(call, body)));
        } catch (DelayException refused) {
            reader(arrived, label).refuse(refusal(request, refused));
        }
    }

    private DelayException nothingAt(String path) {
        String hint =
                routes.nearest(path).map(near -> "; did you mean " + near + "?").orElse("");
        return new DelayException(ErrorCode.NOT_FOUND, "there is nothing at this path" + hint);
    }

    private Reply refusal(HttpServerRequest request, DelayException refused) {
        SocketAddress client = request.remoteAddress();
        if (refused.code() == ErrorCode.UNAUTHORIZED
                && client != null
                && request.headers().contains(HttpHeaders.AUTHORIZATION)) {
            audit.failedLogin(client.hostAddress());
            long wait = logins.count(client.hostAddress());
            if (wait > 0) {
                return ErrorMapper.tooManyLogins(wait);
            }
        }
        return ErrorMapper.failure(refused).reply();
    }

    private Principal admit(Route route, HttpServerRequest request) {
        String authorization = request.getHeader(HttpHeaders.AUTHORIZATION);
        try {
            Principal caller = tokens.admit(route.access(), authorization);
            scoped.check(route, caller);
            return caller;
        } catch (DelayException refused) {
            refusals.refused(refused.code());
            SocketAddress client = request.remoteAddress();
            audit.refused(
                    route,
                    request.query(),
                    tokens.caller(authorization),
                    client == null ? "" : client.hostAddress(),
                    request.getHeader(RequestLog.ID),
                    refused.code());
            throw refused;
        }
    }

    /** Answers bytes that the decoder could not read. The begin of the next request is unknown then. */
    void undecodable(HttpServerRequest request) {
        if (connections.isEnding(request.connection())) {
            return;
        }
        Throwable cause = request.decoderResult().cause();
        answers.write(arrived(request), RequestMetrics.NO_ROUTE, ErrorMapper.undecodable(cause), true);
    }

    private Arrived arrived(HttpServerRequest request) {
        return new Arrived(
                request,
                connections.begin(request.connection()),
                loop,
                requests.begin(request.getHeader(RequestLog.ID)),
                System.nanoTime());
    }

    private BodyReader reader(Arrived arrived, String route) {
        return new BodyReader(
                arrived.request(), deadlines, budget, (reply, close) -> answers.write(arrived, route, reply, close));
    }

    private void answer(Admitted call, Buffer body) {
        Arrived arrived = call.arrived();
        Route route = call.route();
        RequestClient client;
        try {
            client = new RequestClient(arrived, budget, body.length(), trace(arrived, route));
        } catch (RuntimeException | Error e) {
            budget.giveBack(body.length());
            throw e;
        }
        CompletableFuture<Reply> answer = handle(call, body, client);
        if (answer.isDone()) {
            client.releaseBody();
            answers.writeCounted(arrived, route.name(), reply(route, answer, client));
        } else {
            CompletionStage<Reply> coming = answer;
            coming.whenComplete((ready, failure) -> {
                client.releaseBody();
                arrived.guarded(() -> answer(arrived, route, answer, client));
            });
        }
    }

    /**
     * Any thread may complete the future. That thread counts the answer, because large answers may pile up, and the event
     * loop writes it.
     */
    private void answer(Arrived arrived, Route route, CompletableFuture<Reply> answer, RequestClient client) {
        Reply reply = reply(route, answer, client);
        loop.execute(() -> arrived.guarded(() -> answers.writeCounted(arrived, route.name(), reply)));
    }

    private static CompletableFuture<Reply> handle(Admitted call, Buffer body, RequestClient client) {
        try {
            HttpServerRequest request = call.arrived().request();
            Route route = call.route();
            if (body.length() > 0 && Framing.isEncoded(request)) {
                return CompletableFuture.completedFuture(ErrorMapper.encoded());
            }
            String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
            Parameters parameters = Parameters.read(route.parameters(), request.query(), type, body);
            return route.handler().handle(new Call(call.path(), parameters, type, body, call.caller(), client));
        } catch (RuntimeException | Error refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    /** Only the calls of producers and consumers have traces. */
    private RequestTrace trace(Arrived arrived, Route route) {
        if (!route.access().isTraced()) {
            return RequestTrace.NONE;
        }
        HttpServerRequest request = arrived.request();
        String parent = request.getHeader(TraceContext.PARENT);
        RequestTrace trace = traces.begin(
                new HttpSpan(request.method().name(), route.pattern()),
                parent,
                parent == null ? List.of() : request.headers().getAll(TraceContext.STATE),
                arrived.nanos());
        if (arrived.mark().logged()) {
            arrived.mark().traced(trace.traceId(), trace.spanId());
        }
        return trace;
    }

    /** The answer to write. From here on it counts as an unread answer. */
    private Reply reply(Route route, CompletableFuture<Reply> answer, RequestClient client) {
        Reply reply;
        try {
            reply = answer.join();
        } catch (RuntimeException failed) {
            reply = ErrorMapper.failure(failed).reply();
        }
        Reply counted = answers.count(reply, route.isRead());
        client.trace().answered(counted.status());
        return counted;
    }

    /** An allowed request whose body has to be read. */
    private record Admitted(Arrived arrived, Route route, Map<String, String> path, Principal caller) {}
}
