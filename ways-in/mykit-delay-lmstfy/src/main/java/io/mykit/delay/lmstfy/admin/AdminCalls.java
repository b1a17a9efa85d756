package io.mykit.delay.lmstfy.admin;

import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.lmstfy.call.Refusal;
import io.mykit.delay.lmstfy.token.MadeTokens;
import io.mykit.delay.ports.call.Calls;
import io.mykit.delay.ports.call.Json;
import io.mykit.delay.ports.call.Query;
import io.mykit.delay.ports.call.Reply;
import io.mykit.delay.ports.call.Request;
import io.mykit.delay.queue.query.TopicLookup;
import io.mykit.delay.queue.query.TopicView;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** The calls of the admin port. Thread-safe; does not block. */
public final class AdminCalls implements Calls {
    private static final int MAX_BODY = 64 << 10;
    private static final int MAX_TOPICS = 10_000;
    private static final int UNAUTHORIZED = 401;
    private static final String DEFAULT = "default";
    private static final String TOKEN = "token";
    private static final String FORM = "application/x-www-form-urlencoded";

    private final Accounts accounts;
    private final MadeTokens tokens;
    private final TopicLookup topics;
    private final String prefix;
    private final String version;
    private final Workers workers;

    /** @param prefix of the topics of all queues */
    public AdminCalls(
            Accounts accounts, MadeTokens tokens, TopicLookup topics, String prefix, String version, Workers workers) {
        this.accounts = accounts;
        this.tokens = tokens;
        this.topics = topics;
        this.prefix = prefix;
        this.version = version;
        this.workers = workers;
    }

    @Override
    public String route(String method, List<String> path) {
        String name = AdminRoute.find(method, path).map(Enum::name).orElse("none");
        return "lmstfy-admin-" + name.toLowerCase(Locale.ROOT);
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
        if (found.get().needsAccount() && !accounts.admit(request)) {
            return CompletableFuture.completedFuture(Refusal.error(UNAUTHORIZED, "unauthorized"));
        }
        return switch (found.get()) {
            case POOLS -> CompletableFuture.completedFuture(Reply.ok(Json.array(List.of(DEFAULT))));
            case VERSION ->
                CompletableFuture.completedFuture(Reply.ok(Json.object()
                        .text("version", version)
                        .text("build_commit", "mykit-delay")
                        .text("build_date", "")
                        .end()));
            case INFO -> workers.run(() -> info(request));
            case TOKENS ->
                workers.run(() -> Reply.ok(Json.object()
                        .raw(
                                "tokens",
                                Json.map(tokens.list(
                                        request.path().get(1), request.query().find("pool"))))
                        .end()));
            case MAKE -> workers.run(() -> make(request));
            case DELETE ->
                workers.run(() -> {
                    tokens.delete(
                            request,
                            accounts.caller(),
                            request.path().get(1),
                            request.path().get(2));
                    return Reply.DONE;
                });
        };
    }

    private Reply make(Request request) {
        boolean hasForm =
                request.header("Content-Type").toLowerCase(Locale.ROOT).startsWith(FORM);
        Query form = hasForm ? Query.of(new String(request.body(), StandardCharsets.ISO_8859_1)) : Query.NONE;
        String description = field(request.query(), form, "description");
        String own = field(request.query(), form, TOKEN);
        String pool = request.query().find("pool").orElse(DEFAULT);
        String made = tokens.make(request, accounts.caller(), request.path().get(1), pool, description, own);
        return Reply.created(Json.object().text(TOKEN, made).end());
    }

    private static String field(Query query, Query form, String name) {
        return query.find(name).or(() -> form.find(name)).orElse("");
    }

    /** The queues that have messages, dead letters or a pause, by namespace. */
    private Reply info(Request request) {
        String pool = request.query().find("pool").orElse(DEFAULT);
        if (!pool.isEmpty() && !pool.equals(DEFAULT)) {
            return Reply.EMPTY;
        }
        Map<String, List<String>> queues = new TreeMap<>();
        for (TopicView topic : topics.topics(prefix, "", MAX_TOPICS)) {
            String[] names = topic.topic().substring(prefix.length()).split("/", -1);
            if (names.length == 2) {
                queues.computeIfAbsent(names[0], name -> new ArrayList<>()).add(names[1]);
            }
        }
        Json json = Json.object();
        queues.forEach((namespace, names) -> json.raw(namespace, Json.array(names)));
        return Reply.ok(json.end());
    }
}
