package io.mykit.delay.controller.pull;

import static java.util.stream.Collectors.collectingAndThen;
import static java.util.stream.Collectors.toList;

import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.call.JsonParameters;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.queue.consumer.Consumers;
import io.mykit.delay.queue.consumer.Settled;
import io.mykit.delay.queue.consumer.Settlement;
import io.mykit.delay.queue.consumer.Verb;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Answers {@code /ack}, {@code /nack}, {@code /release}, {@code /extend}, {@code /bury} and {@code /finish}. */
final class SettleHandler implements CallHandler {
    static final ParameterNames FINISH = ParameterNames.orJson("jobId", "JobId", "id", "receipt");

    private static final JsonParameters FINISH_BODY = JsonParameters.ofTexts(FINISH);

    private final Consumers consumers;
    private final Verb verb;
    private final JsonParameters fields;

    SettleHandler(Consumers consumers, Verb verb) {
        this.consumers = consumers;
        this.verb = verb;
        this.fields = new JsonParameters(SettleFields.names(verb), Set.of(), Set.of(), Set.of("delay", "ttr"));
    }

    @Override
    public CompletableFuture<Reply> handle(Call call) {
        SettleOrder order = SettleOrder.read(call, fields);
        List<Settlement> toSettle = order.items().stream()
                .filter(item -> item.refused() == null)
                .map(SettleOrder.Item::settlement)
                .toList();
        trace(call, toSettle);
        return consumers
                .settle(verb, toSettle)
                .thenApply(
                        settled -> order.several() ? batch(order.items(), settled.iterator()) : reply(settled.get(0)));
    }

    /** Finishes one message by its id, with or without a receipt. */
    CompletableFuture<Reply> finish(Call call) {
        List<Settlement> toSettle = List.of(SettleFields.withoutReceipt(FINISH_BODY.read(call)));
        trace(call, toSettle);
        return consumers.settle(verb, toSettle).thenApply(settled -> reply(settled.get(0)));
    }

    private void trace(Call call, List<Settlement> toSettle) {
        call.client()
                .trace()
                .settles(
                        verb.name().toLowerCase(Locale.ROOT),
                        toSettle.stream().map(Settlement::id).toList());
    }

    private Reply batch(List<SettleOrder.Item> items, Iterator<Settled> settled) {
        return items.stream()
                .map(item -> item.refused() == null
                        ? reply(settled.next())
                        : ErrorMapper.failure(item.refused()).reply())
                .collect(collectingAndThen(toList(), Envelope::batch));
    }

    private Reply reply(Settled settled) {
        return settled.refusal()
                .map(refusal -> ErrorMapper.failure(refusal).reply())
                .orElseGet(() -> Envelope.success(data(settled)));
    }

    private Map<String, Object> data(Settled settled) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("id", settled.id());
        if (verb == Verb.ACK) {
            data.put("recorded", settled.recorded());
        }
        if (verb == Verb.EXTEND) {
            data.put("leaseUntil", settled.leaseUntilMs());
        }
        return data;
    }
}
