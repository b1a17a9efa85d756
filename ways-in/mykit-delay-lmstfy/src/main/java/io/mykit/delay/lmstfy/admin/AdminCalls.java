package io.mykit.delay.lmstfy.admin;

import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.lmstfy.call.Refusal;
import io.mykit.delay.lmstfy.token.MadeTokens;
import io.mykit.delay.ports.call.Calls;
import io.mykit.delay.ports.call.Json;
import io.mykit.delay.ports.call.Query;
import io.mykit.delay.ports.call.Reply;
import io.mykit.delay.ports.call.Request;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The calls of the admin port. Thread-safe; does not block. */
public final class AdminCalls implements Calls {
    static final String DEFAULT_POOL = "default";

    private static final int MAX_BODY = 64 << 10;
    private static final String TOKEN = "token";
    private static final String FORM = "application/x-www-form-urlencoded";

    private final AccountGate gate;
    private final MadeTokens tokens;
    private final LimitCalls limits;
    private final AccessLogCalls log;
    private final InfoCalls info;
    private final Workers workers;

    public AdminCalls(
            AccountGate gate,
            MadeTokens tokens,
            LimitCalls limits,
            AccessLogCalls log,
            InfoCalls info,
            Workers workers) {
        this.gate = gate;
        this.tokens = tokens;
        this.limits = limits;
        this.log = log;
        this.info = info;
        this.workers = workers;
    }

    @Override
    public String route(String method, List<String> path) {
        return AdminRoute.find(method, path).map(AdminRoute::word).orElse("none");
    }

    @Override
    public boolean isGuarded(String method, List<String> path) {
        return gate.isClosed()
                && AdminRoute.find(method, path)
                        .filter(AdminRoute::needsAccount)
                        .isPresent();
    }

    @Override
    public int maxBody(String method, List<String> path) {
        return MAX_BODY;
    }

    @Override
    public Reply failed(Throwable failure) {
        return Refusal.of(failure);
    }

    @Override
    public Reply error(int status, String text) {
        return Refusal.error(status, text);
    }

    @Override
    public CompletableFuture<Reply> answer(Request request) {
        Optional<AdminRoute> found = AdminRoute.find(request.method(), request.path());
        if (found.isEmpty()) {
            return CompletableFuture.completedFuture(Refusal.NO_ROUTE);
        }
        if (found.get().needsAccount() && !gate.admits(request)) {
            return gate.refuse(request);
        }
        return answer(found.get(), request);
    }

    private CompletableFuture<Reply> answer(AdminRoute route, Request request) {
        return switch (route) {
            case POOLS -> CompletableFuture.completedFuture(info.pools());
            case VERSION -> CompletableFuture.completedFuture(info.version());
            case ACCESS_LOG -> CompletableFuture.completedFuture(log.status());
            case INFO -> workers.run(() -> info.queues(request));
            case TOKENS -> workers.run(() -> tokens(request));
            case MAKE -> workers.run(() -> make(request));
            case DELETE -> workers.run(() -> delete(request));
            case LIMIT -> workers.run(() -> limits.show(request));
            case ADD_LIMIT -> workers.run(() -> limits.add(request));
            case SET_LIMIT -> workers.run(() -> limits.set(request));
            case REMOVE_LIMIT -> workers.run(() -> limits.remove(request));
            case LIMITS -> workers.run(limits::all);
            case SET_ACCESS_LOG -> workers.run(() -> log.turn(request));
        };
    }

    private Reply tokens(Request request) {
        String namespace = request.path().get(1);
        return Reply.ok(Json.object()
                .raw("tokens", Json.map(tokens.list(namespace, request.query().find("pool"))))
                .end());
    }

    private Reply delete(Request request) {
        tokens.delete(
                request, gate.caller(), request.path().get(1), request.path().get(2));
        return Reply.DONE;
    }

    private Reply make(Request request) {
        boolean hasForm =
                request.header("Content-Type").toLowerCase(Locale.ROOT).startsWith(FORM);
        Query form = hasForm ? Query.of(new String(request.body(), StandardCharsets.ISO_8859_1)) : Query.NONE;
        String description = field(request.query(), form, "description");
        String own = field(request.query(), form, TOKEN);
        String pool = request.query().find("pool").orElse(DEFAULT_POOL);
        String made = tokens.make(request, gate.caller(), request.path().get(1), pool, description, own);
        return Reply.created(Json.object().text(TOKEN, made).end());
    }

    private static String field(Query query, Query form, String name) {
        return query.find(name).or(() -> form.find(name)).orElse("");
    }
}
