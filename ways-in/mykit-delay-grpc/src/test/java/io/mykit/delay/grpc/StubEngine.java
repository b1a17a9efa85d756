package io.mykit.delay.grpc;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
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
import io.mykit.delay.queue.delivery.MessageRoute;
import io.mykit.delay.queue.producer.CancelResult;
import io.mykit.delay.queue.producer.CheckedPush;
import io.mykit.delay.queue.producer.MessageView;
import io.mykit.delay.queue.producer.Producers;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.queue.producer.PushRules;
import io.mykit.delay.queue.producer.Via;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** The faces of an engine that notes what it is asked, and answers as the test says. */
final class StubEngine implements Producers, Consumers {
    static final long NOW = 1_800_000_000_000L;

    final List<CheckedPush> pushes = new CopyOnWriteArrayList<>();
    final List<Via> ways = new CopyOnWriteArrayList<>();
    final List<ErrorCode> refused = new CopyOnWriteArrayList<>();
    final List<String> cancels = new CopyOnWriteArrayList<>();
    final List<PullOrder> orders = new CopyOnWriteArrayList<>();
    final List<Consumer<PullAnswer>> waiting = new CopyOnWriteArrayList<>();
    final List<PullOrder> ended = new CopyOnWriteArrayList<>();
    final List<PulledMessage> givenBack = new CopyOnWriteArrayList<>();
    final List<Verb> verbs = new CopyOnWriteArrayList<>();
    final List<Settlement> settlements = new CopyOnWriteArrayList<>();
    volatile CompletableFuture<PushResult> pushed = CompletableFuture.completedFuture(PushResult.ACCEPTED);
    volatile CancelResult cancelled = CancelResult.CANCELLED;
    volatile MessageView found;
    volatile List<PulledMessage> ready = List.of();

    @Override
    public PushRules rules() {
        return new PushRules(
                () -> "generated", InstantSource.fixed(Instant.ofEpochMilli(NOW)), message -> Optional.empty());
    }

    @Override
    public CompletableFuture<PushResult> push(CheckedPush push, Via via) {
        pushes.add(push);
        ways.add(via);
        return push.message().id().startsWith("conflict")
                ? CompletableFuture.failedFuture(new DelayException(ErrorCode.ID_CONFLICT, "another message has it"))
                : push.message().id().startsWith("same")
                        ? CompletableFuture.completedFuture(PushResult.same(MessageStatus.READY))
                        : pushed;
    }

    DelayMessage message() {
        return pushes.get(pushes.size() - 1).message();
    }

    @Override
    public void refused(ErrorCode why) {
        refused.add(why);
    }

    @Override
    public CancelResult cancel(String id, String caller) {
        cancels.add(id + " by " + caller);
        return cancelled;
    }

    @Override
    public Optional<Long> reschedule(String id, long dueTimeMs) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<MessageView> find(String id) {
        if (id.equals("defect")) {
            throw new IllegalStateException("secret words of the server");
        }
        return Optional.ofNullable(found);
    }

    /** The last part of the topic, up to a dash: {@code shop/grpc-x} goes to the channel grpc. */
    @Override
    public String channel(String topic) {
        return topic.replaceAll("^.*/", "").replaceAll("-.*", "");
    }

    @Override
    public MessageRoute route(DelayMessage message) {
        return new MessageRoute(channel(message.topic()), Optional.empty());
    }

    @Override
    public void requirePlace() {}

    @Override
    public CompletableFuture<Void> ended(String id, Duration longest) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void stopWaits() {}

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
        return Map.of();
    }

    @Override
    public Waiting pull(PullOrder order, Consumer<PullAnswer> answer) {
        orders.add(order);
        if (!ready.isEmpty()) {
            answer.accept(new PullAnswer(ready, null));
        } else if (order.longestWait().isZero()) {
            answer.accept(PullAnswer.NOTHING);
        } else {
            waiting.add(answer);
        }
        return () -> ended.add(order);
    }

    @Override
    public void giveBack(List<PulledMessage> messages) {
        givenBack.addAll(messages);
    }

    @Override
    public CompletableFuture<List<Settled>> settle(Verb verb, List<Settlement> items) {
        verbs.add(verb);
        settlements.addAll(items);
        List<Settled> settled = new ArrayList<>();
        items.forEach(item -> settled.add(
                item.id().equals("lost")
                        ? Settled.of(item.id(), SettleResult.LEASE_LOST)
                        : new Settled(item.id(), SettleResult.DONE, true, verb == Verb.EXTEND ? 99 : 0, null)));
        return CompletableFuture.completedFuture(settled);
    }
}
