package io.mykit.delay.controller;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.consumer.Consumers;
import io.mykit.delay.queue.consumer.PullAnswer;
import io.mykit.delay.queue.consumer.PullOrder;
import io.mykit.delay.queue.consumer.PullSettings;
import io.mykit.delay.queue.consumer.PulledMessage;
import io.mykit.delay.queue.consumer.SettleResult;
import io.mykit.delay.queue.consumer.Settled;
import io.mykit.delay.queue.consumer.Settlement;
import io.mykit.delay.queue.consumer.Verb;
import io.mykit.delay.queue.consumer.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Answers pulls by the first topic of the order, and settles messages by their ids. */
final class StubPulling implements Consumers {
    final List<PullOrder> orders = new CopyOnWriteArrayList<>();
    /** Orders of the topic "waits" that have no answer yet. */
    final Map<PullOrder, Consumer<PullAnswer>> waiting = new ConcurrentHashMap<>();

    final List<PullOrder> cancelled = new CopyOnWriteArrayList<>();
    final List<String> givenBack = new CopyOnWriteArrayList<>();
    final List<Settlement> settlements = new CopyOnWriteArrayList<>();
    volatile String body = "{\"a\":1}";

    @Override
    public boolean isPulled(String topic) {
        return true;
    }

    @Override
    public PullSettings limits() {
        return new PullSettings(Duration.ofMinutes(1), 10, Duration.ofMinutes(1), 10);
    }

    @Override
    public Map<String, Integer> waiting(String topic) {
        return Map.of("10.0.0.7", 2, "worker-1", 1);
    }

    @Override
    public Waiting pull(PullOrder order, Consumer<PullAnswer> answer) {
        orders.add(order);
        switch (order.topics().get(0)) {
            case "waits" -> {
                if (order.longestWait().isZero()) {
                    answer.accept(new PullAnswer(List.of(), null));
                } else {
                    waiting.put(order, answer);
                }
            }
            case "empty" -> answer.accept(new PullAnswer(List.of(), null));
            case "broker" ->
                answer.accept(new PullAnswer(
                        List.of(), new DelayException(ErrorCode.NOT_PULLABLE, "topic broker is not pulled")));
            default -> answer.accept(messages(order));
        }
        return () -> cancelled.add(order);
    }

    PullAnswer messages(PullOrder order) {
        DelayMessage message = new DelayMessage(
                "20", order.topics().get(0), "s", "k", body, 5, 1_700_000_000_000L, 1_700_000_000_005L, 3, 0);
        PulledMessage pulled = order.autoAck()
                ? new PulledMessage(message, 1, 1, 16, "", 0)
                : new PulledMessage(message, 2, 3, 16, "7R2KX0", 1_700_000_060_005L);
        return new PullAnswer(List.of(pulled), null);
    }

    @Override
    public void giveBack(List<PulledMessage> messages) {
        messages.forEach(pulled -> givenBack.add(pulled.message().topic()));
    }

    @Override
    public CompletableFuture<List<Settled>> settle(Verb verb, List<Settlement> items) {
        settlements.addAll(items);
        return CompletableFuture.supplyAsync(
                () -> items.stream().map(item -> settled(item.id())).toList());
    }

    private static Settled settled(String id) {
        return switch (id) {
            case "parked" -> new Settled(id, SettleResult.DONE, false, 0, null);
            case "away" ->
                new Settled(id, null, false, 0, new DelayException(ErrorCode.INDEX_UNAVAILABLE, "Redis is away"));
            case "LEASE_LOST", "NOT_PULLABLE", "ALREADY_FINISHED", "NOT_FOUND" ->
                new Settled(id, SettleResult.valueOf(id), true, 0, null);
            default -> new Settled(id, SettleResult.DONE, true, 99, null);
        };
    }
}
