package io.mykit.delay.controller.token;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.access.Access;
import io.mykit.delay.access.NamespaceLimits;
import io.mykit.delay.access.token.LimitRules;
import io.mykit.delay.access.token.NamespaceChange;
import io.mykit.delay.access.token.NewNamespace;
import io.mykit.delay.access.token.TokenTable;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.JsonParameters;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.call.Parameters;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.controller.route.Route;
import io.mykit.delay.queue.operate.NamespaceContents;
import io.mykit.delay.queue.store.StoredNamespace;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The calls that make, list, change and delete namespaces. */
public final class NamespaceCalls {
    private static final JsonParameters FIELDS = new JsonParameters(
            ParameterNames.of("name", "description", "pushRate", "pullRate", "maxDelay", "maxBody", "maxTopics"),
            Set.of(),
            Set.of("pushRate", "pullRate", "maxBody", "maxTopics"),
            Set.of("maxDelay"));
    private static final JsonParameters DELETE = JsonParameters.ofTexts(ParameterNames.of("name"));

    private final TokenTable table;
    private final NamespaceContents contents;
    private final Workers workers;

    public NamespaceCalls(TokenTable table, NamespaceContents contents, Workers workers) {
        this.table = table;
        this.contents = contents;
        this.workers = workers;
    }

    /**
     * @param maxBody the maximum of bytes in a body
     */
    public List<Route> routes(int maxBody) {
        return List.of(
                new Route(
                        "namespaces",
                        Access.ADMINS,
                        Route.READ,
                        "/namespaces",
                        ParameterNames.NOTHING,
                        maxBody,
                        this::list),
                TokenCalls.post("createNamespace", "/namespaces", maxBody, this::create),
                TokenCalls.post("changeNamespace", "/namespaces/change", maxBody, this::change),
                TokenCalls.post("deleteNamespace", "/namespaces/delete", maxBody, this::delete));
    }

    private CompletableFuture<Reply> list(Call call) {
        return workers.run(() -> Envelope.success(
                table.namespaces().stream().map(NamespaceCalls::data).toList()));
    }

    private CompletableFuture<Reply> create(Call call) {
        Parameters given = FIELDS.read(call).parameters();
        NewNamespace order = new NewNamespace(
                name(given),
                given.text("description").orElse(""),
                new NamespaceLimits(
                        TokenFields.rate(given, "pushRate").orElse(0),
                        TokenFields.rate(given, "pullRate").orElse(0),
                        maxDelay(given).map(Duration::toMillis).orElse(0L),
                        number(given, "maxBody", LimitRules.MAX_BODY).orElse(0),
                        number(given, "maxTopics", LimitRules.MAX_TOPICS).orElse(0)));
        String by = call.caller().name();
        return workers.run(() -> {
            contents.requireEmpty(order.name());
            if (!table.create(order, by)) {
                throw new DelayException(ErrorCode.ID_CONFLICT, "the namespace " + order.name() + " exists already");
            }
            return Envelope.success(order.name());
        });
    }

    private CompletableFuture<Reply> change(Call call) {
        Parameters given = FIELDS.read(call).parameters();
        String name = NewNamespace.checked("name", name(given));
        NamespaceChange change = new NamespaceChange(
                given.text("description"),
                TokenFields.rate(given, "pushRate"),
                TokenFields.rate(given, "pullRate"),
                maxDelay(given),
                number(given, "maxBody", LimitRules.MAX_BODY),
                number(given, "maxTopics", LimitRules.MAX_TOPICS));
        return workers.run(() -> Envelope.success(data(table.changeNamespace(name, change))));
    }

    private static Optional<Integer> number(Parameters given, String name, int max) {
        return given.number(name, 0, max).map(Long::intValue);
    }

    private static Optional<Duration> maxDelay(Parameters given) {
        return given.duration("maxDelay", Duration.ZERO, LimitRules.MAX_DELAY);
    }

    private CompletableFuture<Reply> delete(Call call) {
        String name = NewNamespace.checked("name", name(DELETE.read(call).parameters()));
        return workers.run(() -> {
            contents.requireFinished(name);
            table.deleteNamespace(name);
            return Envelope.success(name);
        });
    }

    private static String name(Parameters given) {
        return given.text("name").orElseThrow(() -> invalid("name is required"));
    }

    private static Map<String, Object> data(StoredNamespace namespace) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("name", namespace.name());
        data.put("description", namespace.description());
        data.put("createTime", namespace.createdMs());
        data.put("createdBy", namespace.createdBy());
        data.put("pushRate", TokenCalls.limit(namespace.pushRate()));
        data.put("pullRate", TokenCalls.limit(namespace.pullRate()));
        data.put("maxDelay", TokenCalls.limit(namespace.maxDelayMs()));
        data.put("maxBody", TokenCalls.limit(namespace.maxBody()));
        data.put("maxTopics", TokenCalls.limit(namespace.maxTopics()));
        return data;
    }
}
