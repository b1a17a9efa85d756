package io.mykit.delay.test.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The calls of producers before and during a split, and what their answers promise. One thread calls it. */
final class SplitLoad {
    static final long ASLEEP_MS = 3_000_000;
    private static final int EACH = 10;
    private static final int EDGES = 60;
    private static final long EDGE_GAP_MS = 50;
    private static final int AGAIN = 5;

    private final String topic;
    /** By id: the body that is to arrive. */
    private final Map<String, String> meant = new HashMap<>();

    private final Set<String> asleep = new HashSet<>();
    private final Set<String> cancelled = new HashSet<>();
    /** By id: the status of the last answer to a cancel around the due time. */
    private final Map<String, Integer> edges = new ConcurrentHashMap<>();

    SplitLoad(String topic) {
        this.topic = topic;
    }

    /** Pushes some messages of a kind. */
    void push(DelayClient client, String kind, long delayMs) {
        accepted(client, kind, Map.of("topic", topic, "delay", delayMs, "body", "first"));
        ids(kind).forEach(id -> meant.put(id, "first"));
        if (delayMs == ASLEEP_MS) {
            asleep.addAll(ids(kind));
        }
    }

    void replace(DelayClient client, String kind, long delayMs) {
        accepted(client, kind, Map.of("topic", topic, "delay", delayMs, "body", "later", "replace", true));
        ids(kind).forEach(id -> meant.put(id, "later"));
        ids(kind).forEach(asleep::remove);
    }

    private static void accepted(DelayClient client, String kind, Map<String, Object> content) {
        accepted(
                client,
                ids(kind).stream()
                        .<Map<String, Object>>map(id -> {
                            Map<String, Object> message = new HashMap<>(content);
                            message.put("id", id);
                            return message;
                        })
                        .toList());
    }

    /** All at once, so that a busy machine does not need long for them. */
    private static void accepted(DelayClient client, List<Map<String, Object>> messages) {
        List<CompletableFuture<Answer>> answers =
                messages.stream().map(client::pushAsync).toList();
        for (int i = 0; i < answers.size(); i++) {
            Map<String, Object> message = messages.get(i);
            Answer answer = known(answers.get(i).join(), () -> client.push(message));
            assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        }
    }

    /** Makes a call again whose answer is 503: on a busy machine Redis may need longer than its timeout. */
    private static Answer known(Answer first, Supplier<Answer> again) {
        Answer answer = first;
        for (int left = AGAIN; left > 0 && answer.status() == 503; left--) {
            answer = again.get();
        }
        return answer;
    }

    /** Cancels all messages of a kind, which are not due. */
    void cancel(DelayClient client, String kind) {
        for (String id : ids(kind)) {
            Answer answer = known(client.delete(id), () -> client.delete(id));
            assertThat(answer.status()).as(answer.text()).isEqualTo(200);
            ended(id);
        }
    }

    private void ended(String id) {
        meant.remove(id);
        asleep.remove(id);
        cancelled.add(id);
    }

    /** Pushes messages that are due one after the other. */
    void pushEdges(DelayClient client, long firstDueMs) {
        accepted(
                client,
                IntStream.range(0, EDGES)
                        .mapToObj(i -> Map.<String, Object>of(
                                "topic",
                                topic,
                                "id",
                                edge(i),
                                "triggerAt",
                                firstDueMs + EDGE_GAP_MS * i,
                                "body",
                                "first"))
                        .toList());
    }

    /** Cancels them around their due times: the first one so many milliseconds after it, each further one by a step later, and so on. */
    CompletableFuture<?> cancelEdges(DelayClient client, long firstDueMs, long fromMs, long stepMs) {
        return CompletableFuture.allOf(IntStream.range(0, EDGES)
                .mapToObj(i -> {
                    long atMs = firstDueMs + EDGE_GAP_MS * i + fromMs + stepMs * (i % 20);
                    Executor then = CompletableFuture.delayedExecutor(
                            Math.max(0, atMs - System.currentTimeMillis()), TimeUnit.MILLISECONDS);
                    return CompletableFuture.runAsync(
                            () -> edges.put(edge(i), client.delete(edge(i)).status()), then);
                })
                .toArray(CompletableFuture[]::new));
    }

    /** Asks again where the answer was OUTCOME_UNKNOWN; whether all answers are known. */
    boolean askAgain(DelayClient client) {
        edges.replaceAll((id, status) -> status == 503 ? client.delete(id).status() : status);
        return !edges.containsValue(503);
    }

    /** Counts a message as cancelled if the answer was CANCELLED, and as one that arrives if it was ALREADY_DISPATCHED. */
    void believeEdges() {
        edges.forEach((id, status) -> {
            assertThat(status).as("the answer to the cancel of %s", id).isIn(200, 409);
            if (status == 200) {
                ended(id);
            } else {
                meant.put(id, "first");
            }
        });
    }

    /** How many cancels around the due time were answered so, by status. */
    Map<Integer, Long> answers() {
        return edges.values().stream().collect(Collectors.groupingBy(status -> status, Collectors.counting()));
    }

    /** What is to arrive: the body by id. */
    Map<String, String> meant() {
        Map<String, String> due = new HashMap<>(meant);
        due.keySet().removeAll(asleep);
        return due;
    }

    Set<String> asleep() {
        return asleep;
    }

    Set<String> cancelled() {
        return cancelled;
    }

    private static String edge(int number) {
        return "edge-" + number;
    }

    static String kind(String id) {
        return id.substring(0, id.lastIndexOf('-'));
    }

    private static List<String> ids(String kind) {
        return IntStream.range(0, EACH).mapToObj(i -> kind + "-" + i).toList();
    }
}
