package io.mykit.delay.controller.pull;

import static java.util.stream.Collectors.collectingAndThen;
import static java.util.stream.Collectors.toList;

import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.call.JsonParameters;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.queue.pull.Pulling;
import io.mykit.delay.queue.pull.Settled;
import io.mykit.delay.queue.pull.Settlement;
import io.mykit.delay.queue.pull.Verb;
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

    private final Pulling pulling;
    private final Verb verb;
    private final JsonParameters fields;

    SettleHandler(Pulling pulling, Verb verb) {
        this.pulling = pulling;
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
        return pulling.settle(verb, toSettle)
                .thenApply(
                        settled -> order.several() ? batch(order.items(), settled.iterator()) : reply(settled.get(0)));
    }

    /** Finishes one message by its id, with or without a receipt. */
    CompletableFuture<Reply> finish(Call call) {
        List<Settlement> toSettle = List.of(SettleFields.withoutReceipt(FINISH_BODY.read(call)));
        trace(call, toSettle);
        return pulling.settle(verb, toSettle).thenApply(settled -> reply(settled.get(0)));
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
        if (settled.failure() != null) {
            return ErrorMapper.failure(settled.failure()).reply();
        }
        String id = settled.id();
        return switch (settled.result()) {
            case DONE -> Envelope.success(data(settled));
            case LEASE_LOST ->
                refused(
                        ErrorCode.LEASE_LOST,
                        "the lease of message " + id + " has ended, or another consumer holds the message");
            case NOT_PULLABLE ->
                refused(
                        ErrorCode.NOT_PULLABLE,
                        "message " + id + " is not pulled: the channel of its topic is not pull"
                                + " (mykit.delay.delivery.topics.<topic>)");
            case ALREADY_FINISHED -> refused(ErrorCode.ALREADY_FINISHED, "message " + id + " is already finished");
            case NOT_FOUND -> refused(ErrorCode.NOT_FOUND, "message " + id + " is not known");
        };
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

    private static Reply refused(ErrorCode code, String message) {
        return ErrorMapper.failure(code, message).reply();
    }
}
