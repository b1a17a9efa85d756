package io.mykit.delay.grpc.pull;

import io.mykit.delay.access.limit.CallLimits;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.grpc.call.Caller;
import io.mykit.delay.grpc.reply.Failures;
import io.mykit.delay.queue.consumer.Consumers;
import io.mykit.delay.queue.consumer.Settled;
import io.mykit.delay.queue.consumer.Verb;
import io.mykit.delay.v1.PullReply;
import io.mykit.delay.v1.PullRequest;
import io.mykit.delay.v1.SettleReply;
import io.mykit.delay.v1.SettleRequest;
import io.mykit.delay.v1.SettleResult;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/** Answers {@code Pull} and {@code Settle}. Thread-safe. */
public final class PullCalls {
    private final Consumers consumers;
    private final OpenPulls pulls;

    public PullCalls(Consumers consumers, CallLimits limits) {
        this(consumers, new OpenPulls(consumers, limits));
    }

    private PullCalls(Consumers consumers, OpenPulls pulls) {
        this.consumers = consumers;
        this.pulls = pulls;
    }

    /** The same over another face. It is stopped with this one. */
    public PullCalls over(Consumers other) {
        return new PullCalls(other, pulls.over(other));
    }

    public CompletableFuture<PullReply> pull(PullRequest request, Caller caller) {
        return pulls.ask(PullFields.order(request, consumers.limits().maxWait(), caller.address()), caller);
    }

    /** Each item is settled or refused on its own. */
    public CompletableFuture<SettleReply> settle(SettleRequest request, Caller caller) {
        Verb verb = SettleFields.verb(request);
        if (request.getItemsCount() > MessageLimits.MAX_BATCH) {
            throw FieldRules.invalid("items has at most " + MessageLimits.MAX_BATCH + " items");
        }
        List<Item> items = request.getItemsList().stream()
                .map(item -> Item.read(verb, item))
                .toList();
        List<io.mykit.delay.queue.consumer.Settlement> toSettle = new ArrayList<>();
        items.stream().filter(item -> item.refused() == null).forEach(item -> toSettle.add(item.settlement()));
        caller.trace()
                .settles(
                        verb.name().toLowerCase(Locale.ROOT),
                        toSettle.stream().map(item -> item.id()).toList());
        return consumers.settle(verb, toSettle).thenApply(settled -> reply(items, settled.iterator()));
    }

    /** Ends the waits of all pulls, because this node stops. */
    public void stop() {
        pulls.stop();
    }

    private static SettleReply reply(List<Item> items, Iterator<Settled> settled) {
        SettleReply.Builder reply = SettleReply.newBuilder();
        items.forEach(item ->
                reply.addResults(item.refused() == null ? result(settled.next()) : refusal(item.id(), item.refused())));
        return reply.build();
    }

    private static SettleResult result(Settled settled) {
        return settled.refusal()
                .map(refusal -> refusal(settled.id(), Failures.known(refusal)))
                .orElseGet(() -> SettleResult.newBuilder()
                        .setId(settled.id())
                        .setRecorded(settled.recorded())
                        .setLeaseUntil(settled.leaseUntilMs())
                        .build());
    }

    private static SettleResult refusal(String id, DelayException refused) {
        return SettleResult.newBuilder()
                .setId(id)
                .setError(Failures.item(refused))
                .build();
    }

    /** An item that was read or refused: one of the last two components is null. */
    private record Item(String id, io.mykit.delay.queue.consumer.Settlement settlement, DelayException refused) {
        static Item read(Verb verb, io.mykit.delay.v1.Settlement item) {
            try {
                return new Item(item.getId(), SettleFields.of(verb, item), null);
            } catch (DelayException refused) {
                return new Item(item.getId(), null, refused);
            }
        }
    }
}
