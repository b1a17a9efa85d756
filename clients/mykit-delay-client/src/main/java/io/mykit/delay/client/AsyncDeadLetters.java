package io.mykit.delay.client;

import io.mykit.delay.client.json.JsonObject;
import io.mykit.delay.client.json.JsonWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** The calls of {@link DeadLetters}, answered by futures. Thread-safe. */
public final class AsyncDeadLetters {
    /** A call on many dead letters is answered at its end. */
    private static final Duration LONG = Duration.ofHours(1);

    private final Calls calls;

    AsyncDeadLetters(Calls calls) {
        this.calls = calls;
    }

    /** See {@link DeadLetters#topics}. */
    public CompletableFuture<List<DeadTopic>> topics(String prefix) {
        String query = prefix.isEmpty() ? "" : "&prefix=" + Request.encoded(prefix);
        return calls.send(
                Request.get("/dead?limit=1000" + query), answer -> JsonObject.list(answer.dataOrThrow()).stream()
                        .map(JsonObject::of)
                        .map(DeadTopic::read)
                        .toList());
    }

    /** See {@link DeadLetters#list}. */
    public CompletableFuture<DeadPage> list(DeadOrder order) {
        String query = order.fields().entrySet().stream()
                .map(field -> field.getKey() + "=" + Request.encoded(String.valueOf(field.getValue())))
                .collect(Collectors.joining("&"));
        return calls.send(Request.get("/dead?" + query), answer -> DeadPage.read(JsonObject.of(answer.dataOrThrow())));
    }

    /** See {@link DeadLetters#respawn(DeadOrder)}. */
    public CompletableFuture<DeadReport> respawn(DeadOrder order) {
        return change("/dead/respawn", order, "respawned");
    }

    /** See {@link DeadLetters#respawn(String)}. */
    public CompletableFuture<Boolean> respawn(String id) {
        return change("/dead/respawn", id);
    }

    /** See {@link DeadLetters#discard(DeadOrder)}. */
    public CompletableFuture<DeadReport> discard(DeadOrder order) {
        return change("/dead/discard", order, "discarded");
    }

    /** See {@link DeadLetters#discard(String)}. */
    public CompletableFuture<Boolean> discard(String id) {
        return change("/dead/discard", id);
    }

    private CompletableFuture<DeadReport> change(String path, DeadOrder order, String changed) {
        Request request = Request.post(path, JsonWriter.write(order.fields()));
        return calls.send(
                request.once().waiting(LONG), answer -> DeadReport.read(JsonObject.of(answer.dataOrThrow()), changed));
    }

    private CompletableFuture<Boolean> change(String path, String id) {
        Request request = Request.post(path, JsonWriter.write(Map.of("jobId", id)));
        return calls.send(request.once(), answer -> {
            boolean found = !answer.is("NOT_FOUND");
            if (found) {
                answer.dataOrThrow();
            }
            return found;
        });
    }
}
