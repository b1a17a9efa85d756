package io.mykit.delay.client;

import io.mykit.delay.client.json.JsonObject;
import io.mykit.delay.client.json.JsonWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The calls of a {@link DelayClient}, answered by futures. A future that fails has a {@link DelayClientException} as its
 * cause. Cancelling a future ends its request, which may have been carried out all the same. The futures are completed on
 * threads of the common pool; work that blocks belongs into an executor of its own ({@code thenApplyAsync}). Thread-safe.
 *
 * <p>How a call stays safe when it is tried again:
 *
 * <ul>
 *   <li><i>push</i>: a message has its id before the first try, and with replace its idempotency key. So the server recognises a
 *       later try, also if the message was delivered meanwhile.
 *   <li><i>cancel, find, whoami</i>: a second call has the same outcome.
 *   <li><i>pull</i>: messages of a lost answer are handed out again when their leases end; their attempts count.
 *   <li><i>ack</i>: the server recognises a message that is finished already, and answers success.
 *   <li><i>nack, release, bury</i>: after a lost answer the lease may be gone because of the first try; then the outcome is
 *       {@link SettleResult#UNCLEAR}.
 *   <li><i>extend</i>: a second call extends the lease once more.
 *   <li><i>pause, resume</i>: a second call has the same outcome; a pause with an end ends by so much later.
 *   <li><i>respawn, discard, clear</i>: not tried again once they may have been carried out.
 * </ul>
 */
public final class AsyncDelayClient {
    private final Calls calls;

    AsyncDelayClient(Calls calls) {
        this.calls = calls;
    }

    /** The same client with another patience. */
    AsyncDelayClient retryingFor(Duration retryFor) {
        return new AsyncDelayClient(new Calls(calls.transport(), retryFor));
    }

    /** Lets calls begin with the next endpoint. */
    void turnToNextEndpoint() {
        calls.transport().endpoints().turn();
    }

    List<String> endpoints() {
        return calls.transport().endpoints().urls();
    }

    Duration retryFor() {
        return calls.retryFor();
    }

    /** See {@link DelayClient#push(Message)}. */
    public CompletableFuture<String> push(Message message) {
        return calls.send(Request.post("/push", message.toJson()), answer -> {
            answer.dataOrThrow();
            return message.id();
        });
    }

    /** See {@link DelayClient#push(Message, Duration)}. */
    public CompletableFuture<PushResult> push(Message message, Duration wait) {
        return calls.send(Request.post("/push", message.json(wait)).waiting(wait), answer -> {
            answer.dataOrThrow();
            Optional<MessageView> job =
                    Optional.ofNullable(answer.job()).map(JsonObject::of).map(MessageView::read);
            return new PushResult(message.id(), Optional.empty(), job, answer.messageStatus());
        });
    }

    /** See {@link DelayClient#pushAll}. */
    public CompletableFuture<List<PushResult>> pushAll(List<Message> messages) {
        return Calls.readable(BatchPush.push(messages, calls::send, calls.retryFor()));
    }

    /** See {@link DelayClient#cancel}. */
    public CompletableFuture<CancelResult> cancel(String id) {
        return calls.send(Request.delete("/delete?jobId=" + Request.encoded(id)), CancelResult::read);
    }

    /** See {@link DelayClient#reschedule(String, Duration)}. */
    public CompletableFuture<RescheduleResult> reschedule(String id, Duration delay) {
        return reschedule(Map.of("id", id, "delay", delay.toMillis()));
    }

    /** See {@link DelayClient#reschedule(String, Instant)}. */
    public CompletableFuture<RescheduleResult> reschedule(String id, Instant dueTime) {
        return reschedule(Map.of("id", id, "triggerAt", dueTime.toEpochMilli()));
    }

    private CompletableFuture<RescheduleResult> reschedule(Map<String, Object> fields) {
        return calls.send(Request.post("/reschedule", JsonWriter.write(fields)), RescheduleResult::read);
    }

    /** See {@link DelayClient#find(String)}. */
    public CompletableFuture<Optional<MessageView>> find(String id) {
        return find(Request.get("/job/" + Request.encoded(id)));
    }

    /** See {@link DelayClient#find(String, Duration)}. */
    public CompletableFuture<Optional<MessageView>> find(String id, Duration wait) {
        return find(Request.get("/job/" + Request.encoded(id) + "?wait=" + wait.toMillis())
                .waiting(wait));
    }

    private CompletableFuture<Optional<MessageView>> find(Request request) {
        return calls.send(
                request,
                answer -> answer.is("NOT_FOUND")
                        ? Optional.empty()
                        : Optional.of(MessageView.read(JsonObject.of(answer.dataOrThrow()))));
    }

    /** See {@link DelayClient#pull}. */
    public CompletableFuture<List<PulledMessage>> pull(PullRequest request) {
        return calls.send(
                Request.post("/pull", request.json()).waiting(request.waitFor()),
                answer -> JsonObject.list(answer.dataOrThrow()).stream()
                        .map(message -> PulledMessage.read(JsonObject.of(message), request.ttr()))
                        .toList());
    }

    /** See {@link DelayClient#ack(PulledMessage)}. */
    public CompletableFuture<SettleResult> ack(PulledMessage message) {
        return ack(message, Map.of());
    }

    /** See {@link DelayClient#ack(PulledMessage, Body)}. */
    public CompletableFuture<SettleResult> ack(PulledMessage message, Body result) {
        return ack(message, result.asResult());
    }

    private CompletableFuture<SettleResult> ack(PulledMessage message, Map<String, Object> more) {
        // The server recognises the ack of a finished message, so a refusal is no consequence of an earlier try.
        return settle("/ack", message, more, true);
    }

    /** See {@link DelayClient#nack(PulledMessage, String)}. */
    public CompletableFuture<SettleResult> nack(PulledMessage message, String detail) {
        return settle("/nack", message, Map.of("detail", detail), false);
    }

    /** See {@link DelayClient#nack(PulledMessage, String, Duration)}. */
    public CompletableFuture<SettleResult> nack(PulledMessage message, String detail, Duration delay) {
        return settle("/nack", message, Map.of("detail", detail, "delay", delay.toMillis()), false);
    }

    /** See {@link DelayClient#release(PulledMessage)}. */
    public CompletableFuture<SettleResult> release(PulledMessage message) {
        return settle("/release", message, Map.of(), false);
    }

    /** See {@link DelayClient#release(PulledMessage, Duration)}. */
    public CompletableFuture<SettleResult> release(PulledMessage message, Duration delay) {
        return settle("/release", message, Map.of("delay", delay.toMillis()), false);
    }

    /** See {@link DelayClient#bury}. */
    public CompletableFuture<SettleResult> bury(PulledMessage message, String detail) {
        return settle("/bury", message, Map.of("detail", detail), false);
    }

    /** See {@link DelayClient#extend}. */
    public CompletableFuture<SettleResult> extend(PulledMessage message, Duration ttr) {
        return calls.send(settling("/extend", message, Map.of("ttr", ttr.toMillis())), answer -> {
            SettleResult result = settled(answer, true);
            if (result == SettleResult.DONE) {
                message.lease().extended(ttr, until(answer));
            } else {
                message.lease().lose();
            }
            return result;
        });
    }

    /** See {@link DelayClient#ofKey}. */
    public AsyncKeyedMessages ofKey(String topic, String bizKey) {
        return new AsyncKeyedMessages(calls, topic, bizKey);
    }

    /** See {@link DelayClient#whoami}. */
    public CompletableFuture<Caller> whoami() {
        return calls.send(Request.get("/whoami"), answer -> Caller.read(JsonObject.of(answer.dataOrThrow())));
    }

    /** See {@link DelayClient#dead}. */
    public AsyncDeadLetters dead() {
        return new AsyncDeadLetters(calls);
    }

    /** See {@link DelayClient#topics}. */
    public AsyncTopics topics() {
        return new AsyncTopics(calls);
    }

    private CompletableFuture<SettleResult> settle(
            String path, PulledMessage message, Map<String, Object> more, boolean recognised) {
        return calls.send(settling(path, message, more), answer -> settled(answer, recognised));
    }

    private static Request settling(String path, PulledMessage message, Map<String, Object> more) {
        Map<String, Object> fields = new LinkedHashMap<>(more);
        fields.put("id", message.id());
        fields.put("receipt", message.lease().receipt());
        return Request.post(path, JsonWriter.write(fields));
    }

    private static SettleResult settled(Answer answer, boolean recognised) {
        SettleResult refusal =
                switch (answer.error()) {
                    case "LEASE_LOST" -> SettleResult.LEASE_LOST;
                    case "ALREADY_FINISHED" -> SettleResult.ALREADY_FINISHED;
                    case "NOT_FOUND" -> SettleResult.NOT_FOUND;
                    default -> {
                        answer.dataOrThrow();
                        yield SettleResult.DONE;
                    }
                };
        boolean unclear = refusal != SettleResult.DONE && answer.inDoubt() && !recognised;
        return unclear ? SettleResult.UNCLEAR : refusal;
    }

    private static Optional<Instant> until(Answer answer) {
        return answer.data() instanceof Map<?, ?> data
                ? JsonObject.of(data).optionalInteger("leaseUntil").map(Instant::ofEpochMilli)
                : Optional.empty();
    }
}
