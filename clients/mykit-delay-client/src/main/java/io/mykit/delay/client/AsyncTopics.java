package io.mykit.delay.client;

import io.mykit.delay.client.json.JsonObject;
import io.mykit.delay.client.json.JsonWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The calls of {@link Topics}, answered by futures. Thread-safe. */
public final class AsyncTopics {
    /** A clear is answered at its end, if the call asks for it. */
    private static final Duration LONG = Duration.ofHours(1);

    private final Calls calls;

    AsyncTopics(Calls calls) {
        this.calls = calls;
    }

    /** See {@link Topics#list}. */
    public CompletableFuture<List<TopicView>> list(String prefix) {
        String query = prefix.isEmpty() ? "" : "&prefix=" + Request.encoded(prefix);
        return calls.send(Request.get("/topics?limit=1000" + query), AsyncTopics::views);
    }

    /** See {@link Topics#find}. */
    public CompletableFuture<TopicView> find(String topic) {
        return calls.send(Request.get("/topics?topic=" + Request.encoded(topic)), answer -> views(answer)
                .get(0));
    }

    private static List<TopicView> views(Answer answer) {
        return JsonObject.list(answer.dataOrThrow()).stream()
                .map(JsonObject::of)
                .map(TopicView::read)
                .toList();
    }

    /** See {@link Topics#pause(String)}. */
    public CompletableFuture<Void> pause(String topic) {
        return change("/topics/pause", topic);
    }

    /** See {@link Topics#pause(String, Duration)}. */
    public CompletableFuture<Instant> pause(String topic, Duration time) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("topic", topic);
        fields.put("for", time.toMillis());
        return calls.send(
                Request.post("/topics/pause", JsonWriter.write(fields)),
                answer ->
                        Instant.ofEpochMilli(JsonObject.of(answer.dataOrThrow()).integer("pausedUntil")));
    }

    /** See {@link Topics#resume}. */
    public CompletableFuture<Void> resume(String topic) {
        return change("/topics/resume", topic);
    }

    private CompletableFuture<Void> change(String path, String topic) {
        return calls.send(Request.post(path, JsonWriter.write(Map.of("topic", topic))), answer -> {
            answer.dataOrThrow();
            return null;
        });
    }

    /** See {@link Topics#clear}. */
    public CompletableFuture<ClearReport> clear(ClearOrder order) {
        Map<String, Object> fields = new LinkedHashMap<>(order.fields());
        fields.put("wait", LONG.toMillis());
        Request request = Request.post("/topics/clear", JsonWriter.write(fields));
        return calls.send(
                request.once().waiting(LONG.plusMinutes(1)),
                answer -> ClearReport.read(JsonObject.of(answer.dataOrThrow())));
    }
}
