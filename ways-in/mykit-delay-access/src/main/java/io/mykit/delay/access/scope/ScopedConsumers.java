package io.mykit.delay.access.scope;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.consumer.Consumers;
import io.mykit.delay.queue.consumer.PullAnswer;
import io.mykit.delay.queue.consumer.PullOrder;
import io.mykit.delay.queue.consumer.PullSettings;
import io.mykit.delay.queue.consumer.PulledMessage;
import io.mykit.delay.queue.consumer.Settled;
import io.mykit.delay.queue.consumer.Settlement;
import io.mykit.delay.queue.consumer.Verb;
import io.mykit.delay.queue.consumer.Waiting;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** The face for consumers of one namespace. Thread-safe. */
public final class ScopedConsumers implements Consumers {
    private final Consumers all;
    private final Names names;

    public ScopedConsumers(Consumers all, Names names) {
        this.all = all;
        this.names = names;
    }

    @Override
    public boolean isPulled(String topic) {
        return all.isPulled(names.in(topic));
    }

    @Override
    public PullSettings limits() {
        return all.limits();
    }

    @Override
    public Map<String, Integer> waiting(String topic) {
        return all.waiting(names.in(topic));
    }

    @Override
    public Waiting pull(PullOrder order, Consumer<PullAnswer> answer) {
        PullOrder full = new PullOrder(
                order.topics().stream().map(names::in).toList(),
                order.count(),
                order.longestWait(),
                order.ttr(),
                order.autoAck(),
                order.consumer());
        return all.pull(full, given -> answer.accept(out(given)));
    }

    private PullAnswer out(PullAnswer answer) {
        return answer.failure() == null
                ? new PullAnswer(changed(answer.messages(), names::out), null)
                : PullAnswer.failed(names.out(answer.failure()));
    }

    @Override
    public void giveBack(List<PulledMessage> messages) {
        all.giveBack(changed(messages, names::in));
    }

    private static List<PulledMessage> changed(List<PulledMessage> messages, UnaryOperator<DelayMessage> change) {
        return messages.stream()
                .map(each -> each.withMessage(change.apply(each.message())))
                .toList();
    }

    @Override
    public CompletableFuture<List<Settled>> settle(Verb verb, List<Settlement> items) {
        List<Settlement> full = items.stream()
                .map(item -> new Settlement(
                        names.in(item.id()), item.receipt(), item.delay(), item.ttr(), item.detail(), item.result()))
                .toList();
        return all.settle(verb, full)
                .thenApply(settled -> settled.stream().map(this::out).toList());
    }

    private Settled out(Settled settled) {
        return new Settled(
                names.out(settled.id()),
                settled.result(),
                settled.recorded(),
                settled.leaseUntilMs(),
                settled.failure() == null ? null : names.out(settled.failure()));
    }
}
