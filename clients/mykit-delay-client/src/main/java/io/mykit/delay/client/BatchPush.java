package io.mykit.delay.client;

import io.mykit.delay.client.json.JsonException;
import io.mykit.delay.client.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Pushes many messages in requests of a bounded size, one after the other. Messages that a server cannot take now are sent
 * again without the others.
 */
final class BatchPush {
    /** The maximum of the server is 1000. */
    private static final int MAX_MESSAGES = 500;
    /** A quarter of the server's default maximum, even if each character takes four bytes. */
    private static final int MAX_CHARACTERS = 1 << 20;

    private final Function<Request, CompletableFuture<Answer>> calls;
    private final Duration retryFor;
    private final List<PushResult> results = new ArrayList<>();

    private BatchPush(Function<Request, CompletableFuture<Answer>> calls, Duration retryFor) {
        this.calls = calls;
        this.retryFor = retryFor;
    }

    /** @return the results in the order of the messages */
    static CompletableFuture<List<PushResult>> push(
            List<Message> messages, Function<Request, CompletableFuture<Answer>> calls, Duration retryFor) {
        return new BatchPush(calls, retryFor).from(List.copyOf(messages), 0);
    }

    private CompletableFuture<List<PushResult>> from(List<Message> messages, int begin) {
        if (begin == messages.size()) {
            return CompletableFuture.completedFuture(results);
        }
        int end = begin;
        int characters = 0;
        while (end < messages.size() && end - begin < MAX_MESSAGES) {
            characters += messages.get(end).toJson().length();
            if (characters > MAX_CHARACTERS && end > begin) {
                break;
            }
            end++;
        }
        List<Message> part = messages.subList(begin, end);
        int next = end;
        return send(part, new LinkedHashMap<>(), new Patience(retryFor)).thenCompose(outcomes -> {
            part.forEach(message -> results.add(outcomes.get(message)));
            return from(messages, next);
        });
    }

    /** Sends messages until each has an outcome. */
    private CompletableFuture<Map<Message, PushResult>> send(
            List<Message> waiting, Map<Message, PushResult> outcomes, Patience patience) {
        String body = waiting.stream().map(Message::toJson).collect(Collectors.joining(",", "[", "]"));
        return calls.apply(Request.post("/push/batch", body)).thenCompose(answer -> {
            List<Message> again = note(waiting, items(answer, waiting.size()), outcomes);
            if (again.isEmpty()) {
                return CompletableFuture.completedFuture(outcomes);
            }
            return patience.pause(Duration.ZERO)
                    .map(pause -> CompletableFuture.runAsync(
                                    () -> {},
                                    CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS))
                            .thenCompose(paused -> send(again, outcomes, patience)))
                    .orElseGet(() -> CompletableFuture.completedFuture(outcomes));
        });
    }

    /** Notes the outcome of each message; returns those that deserve another try. */
    private static List<Message> note(List<Message> sent, List<Answer> items, Map<Message, PushResult> outcomes) {
        List<Message> again = new ArrayList<>();
        for (int i = 0; i < sent.size(); i++) {
            Message message = sent.get(i);
            Answer item = items.get(i).afterLostAnswer(isInDoubt(outcomes.get(message)));
            if (item.isTemporary()) {
                again.add(message);
                boolean inDoubt = item.mayBeDone() || item.inDoubt();
                DelayClientException failure = new DelayUnavailableException(message + ": " + item, null, inDoubt);
                outcomes.put(message, new PushResult(message.id(), Optional.of(failure)));
            } else {
                Optional<DelayClientException> refusal = item.refusal().map(refused -> refused);
                outcomes.put(message, new PushResult(message.id(), refusal, Optional.empty(), item.messageStatus()));
            }
        }
        return again;
    }

    private static boolean isInDoubt(PushResult before) {
        return before != null
                && before.failure().map(DelayClientException::isInDoubt).orElse(false);
    }

    private static List<Answer> items(Answer answer, int expected) {
        List<Answer> items = JsonObject.list(answer.dataOrThrow()).stream()
                .map(item -> Answer.read(item).afterLostAnswer(answer.inDoubt()))
                .toList();
        if (items.size() != expected) {
            throw new JsonException(items.size() + " results for " + expected + " messages");
        }
        return items;
    }
}
