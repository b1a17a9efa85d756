package io.mykit.delay.client;

import io.mykit.delay.client.json.JsonObject;
import io.mykit.delay.client.json.JsonWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The calls of {@link KeyedMessages}, answered by futures. Thread-safe. */
public final class AsyncKeyedMessages {
    /** The time in which the server begins with the last message. */
    private static final Duration WORK = Duration.ofSeconds(20);

    private final Calls calls;
    private final String topic;
    private final String bizKey;

    AsyncKeyedMessages(Calls calls, String topic, String bizKey) {
        this.calls = calls;
        this.topic = topic;
        this.bizKey = bizKey;
    }

    /** See {@link KeyedMessages#list}. */
    public CompletableFuture<List<MessageSummary>> list() {
        return page("", new LinkedHashMap<>());
    }

    private CompletableFuture<List<MessageSummary>> page(String after, Map<String, MessageSummary> found) {
        String filter = "&status=WAIT_PUT,DELAY,READY,RESTORE&limit=500";
        return calls.send(Request.get("/messages?" + key() + filter + after), answer -> {
                    JsonObject page = JsonObject.of(answer.dataOrThrow());
                    // A message that moves may be in two pages.
                    JsonObject.list(page.get("items")).stream()
                            .map(item -> MessageSummary.read(JsonObject.of(item)))
                            .forEach(message -> found.put(message.id(), message));
                    return page.optionalText("next");
                })
                .thenCompose(next -> next.isPresent()
                        ? page("&after=" + Request.encoded(next.get()), found)
                        : CompletableFuture.completedFuture(found.values().stream()
                                .sorted(Comparator.comparing(MessageSummary::dueTime))
                                .toList()));
    }

    /** See {@link KeyedMessages#cancel}. */
    public CompletableFuture<List<KeyedResult<CancelResult>>> cancel() {
        return each(Request.delete("/delete?" + key()), CancelResult::read);
    }

    /** See {@link KeyedMessages#reschedule(Duration)}. */
    public CompletableFuture<List<KeyedResult<RescheduleResult>>> reschedule(Duration delay) {
        return reschedule("delay", delay.toMillis());
    }

    /** See {@link KeyedMessages#reschedule(Instant)}. */
    public CompletableFuture<List<KeyedResult<RescheduleResult>>> reschedule(Instant dueTime) {
        return reschedule("triggerAt", dueTime.toEpochMilli());
    }

    private CompletableFuture<List<KeyedResult<RescheduleResult>>> reschedule(String field, long value) {
        String body = JsonWriter.write(Map.of("topic", topic, "bizKey", bizKey, field, value));
        return each(Request.post("/reschedule", body), RescheduleResult::read);
    }

    private <R> CompletableFuture<List<KeyedResult<R>>> each(Request request, Function<Answer, R> reader) {
        return calls.send(request.waiting(WORK), answer -> JsonObject.list(answer.dataOrThrow()).stream()
                .map(item -> KeyedResult.read(JsonObject.of(item).text("id"), Answer.read(item), reader))
                .toList());
    }

    private String key() {
        return "topic=" + Request.encoded(topic) + "&bizKey=" + Request.encoded(bizKey);
    }
}
