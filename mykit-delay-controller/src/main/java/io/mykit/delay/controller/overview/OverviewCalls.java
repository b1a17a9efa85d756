package io.mykit.delay.controller.overview;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.access.Access;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.call.JsonParameters;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.controller.route.Route;
import io.mykit.delay.queue.overview.Overviews;
import io.mykit.delay.queue.overview.Overviews.StopResult;
import io.mykit.delay.queue.search.MessageSearch;
import io.mykit.delay.queue.search.SearchOrder;
import io.mykit.delay.queue.store.SearchIndexes;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The calls about the state of the whole queue. */
public final class OverviewCalls {
    private static final int THREADS = 2;
    private static final int QUEUE = 128;
    private static final int MAX_ID = 400;

    private static final Map<String, Object> LIMITS =
            Map.of("page", SearchOrder.MAX_LIMIT, "walkRows", MessageSearch.WALK_ROWS, "walkMs", MessageSearch.WALK_MS);

    private static final ParameterNames SERIES = ParameterNames.of("since", "topic");
    private static final ParameterNames STOP = ParameterNames.NONE;
    private static final JsonParameters STOP_BODY = JsonParameters.ofTexts(ParameterNames.of("id"));

    private final Overviews overviews;
    private final Supplier<SearchIndexes> indexes;
    private final Map<String, Object> config;
    private final Workers workers = new Workers("http-overview", THREADS, QUEUE);

    /**
     * @param indexes the optional indexes of the database; may block
     * @param settings the configuration by key, without secrets
     * @param changed the default of each setting that has another value; empty = the key has none
     */
    public OverviewCalls(
            Overviews overviews,
            Supplier<SearchIndexes> indexes,
            Map<String, String> settings,
            Map<String, String> changed) {
        this.overviews = overviews;
        this.indexes = indexes;
        this.config = new LinkedHashMap<>();
        config.put("settings", new TreeMap<>(settings));
        config.put("changed", new TreeMap<>(changed));
    }

    /**
     * @param maxBody the maximum of bytes in a body
     */
    public List<Route> routes(int maxBody) {
        return List.of(
                read("overview", "/overview", ParameterNames.NOTHING, maxBody, call -> answer(this::overview)),
                read("series", "/series", SERIES, maxBody, this::series),
                read(
                        "operations",
                        "/operations",
                        ParameterNames.NOTHING,
                        maxBody,
                        call -> answer(overviews::operations)),
                read("config", "/config", ParameterNames.NOTHING, maxBody, call -> config()),
                new Route(
                        "stopOperation", Access.OPERATORS, Route.POST, "/operations/stop", STOP, maxBody, this::stop));
    }

    private static Route read(String name, String path, ParameterNames known, int maxBody, CallHandler handler) {
        return new Route(name, Access.VIEWERS, Route.READ, path, known, maxBody, handler);
    }

    private CompletableFuture<Reply> answer(Supplier<Map<String, Object>> data) {
        return workers.run(() -> Envelope.success(data.get()));
    }

    private Map<String, Object> overview() {
        Map<String, Object> state = overviews.overview();
        Map<String, Object> data = new LinkedHashMap<>(state);
        data.put("search", search(state));
        data.put("limits", LIMITS);
        return data;
    }

    /** Null while the database is down: nobody waits for its time-out. */
    private Map<String, Object> search(Map<String, Object> state) {
        boolean up = state.get("parts") instanceof Map<?, ?> parts
                && parts.get("store") instanceof Map<?, ?> store
                && Boolean.TRUE.equals(store.get("up"));
        if (!up) {
            return null;
        }
        try {
            SearchIndexes found = indexes.get();
            return Map.of("topicIndex", found.topic(), "bizKeyIndex", found.bizKey());
        } catch (DelayException e) {
            return null;
        }
    }

    private CompletableFuture<Reply> series(Call call) {
        long since = call.parameters().moment("since").orElse(0L);
        Optional<String> topic = call.parameters().topic();
        return answer(() -> topic.map(name -> overviews.series(name, since)).orElseGet(() -> overviews.series(since)));
    }

    private CompletableFuture<Reply> config() {
        return CompletableFuture.completedFuture(Envelope.success(config));
    }

    private CompletableFuture<Reply> stop(Call call) {
        if (!call.declaresJson()) {
            return CompletableFuture.completedFuture(ErrorMapper.notJson());
        }
        String id = STOP_BODY
                .read(call)
                .parameters()
                .text("id")
                .filter(text -> !text.isEmpty())
                .orElseThrow(() -> invalid("id is required"));
        if (id.length() > MAX_ID) {
            throw invalid("id is longer than " + MAX_ID + " characters");
        }
        return workers.run(() -> Envelope.success(stopped(id, overviews.stop(id))));
    }

    private static Map<String, Object> stopped(String id, StopResult result) {
        if (result == StopResult.NOT_STOPPABLE) {
            throw invalid("id is work of the server itself, which cannot be stopped");
        }
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("id", id);
        data.put("stopping", result == StopResult.STOPPING);
        return data;
    }

    public void close() {
        workers.close(Duration.ZERO);
    }
}
