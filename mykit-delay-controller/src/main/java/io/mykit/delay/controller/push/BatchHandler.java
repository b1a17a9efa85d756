package io.mykit.delay.controller.push;

import io.mykit.delay.access.limit.CallLimits;
import io.mykit.delay.access.limit.CallLimits.Kind;
import io.mykit.delay.access.limit.Permit;
import io.mykit.delay.access.log.RequestLog;
import io.mykit.delay.access.trace.RequestTrace;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.json.JsonReader;
import io.mykit.delay.json.JsonSyntaxException;
import io.mykit.delay.queue.producer.Producers;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.queue.producer.Via;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Answers {@code POST /push/batch}. Each item is accepted or refused on its own. No item is pushed before the last one is
 * read, so a broken array stores no message.
 */
final class BatchHandler implements CallHandler {
    /** The nesting depth between two items. */
    private static final int ARRAY_DEPTH = 1;

    private final PushParser parser;
    private final Producers producers;
    private final Workers workers;
    private final int maxBodyBytes;
    private final CallLimits limits;

    BatchHandler(PushParser parser, Producers producers, Workers workers, int maxBodyBytes, CallLimits limits) {
        this.parser = parser;
        this.producers = producers;
        this.workers = workers;
        this.maxBodyBytes = maxBodyBytes;
        this.limits = limits;
    }

    @Override
    public CompletableFuture<Reply> handle(Call call) {
        CompletableFuture<Permit> asked = limits.ask(call.caller(), Kind.PUSH, 1);
        return asked.isDone()
                ? push(call, asked.join())
                : asked.thenComposeAsync(
                        permit -> push(call, permit), call.client().loop());
    }

    private CompletableFuture<Reply> push(Call call, Permit permit) {
        permit.refusal().ifPresent(refusal -> {
            producers.refused(refusal.code());
            throw refusal;
        });
        byte[] bytes = call.json();
        RequestTrace trace = call.client().trace();
        String requestId = call.client().header(RequestLog.ID);
        return workers.run(() -> {
                    List<Item> items = parse(bytes, trace, requestId);
                    // The first item was asked for before; the others pass with it, and later calls wait for them.
                    limits.passed(call.caller(), Kind.PUSH, items.size() - 1);
                    return items.stream().map(this::push).toList();
                })
                .thenCompose(pushes -> CompletableFuture.allOf(
                                pushes.stream().map(Pushed::result).toArray(CompletableFuture[]::new))
                        .handleAsync(
                                (all, someFailed) -> reply(pushes),
                                call.client().loop()));
    }

    private List<Item> parse(byte[] bytes, RequestTrace trace, String requestId) {
        try (JsonReader json = PushParser.reader(bytes)) {
            List<Item> items = new ArrayList<>();
            json.beginArray();
            while (json.nextItem()) {
                if (items.size() == MessageLimits.MAX_BATCH) {
                    throw FieldRules.invalid("a batch has at most " + MessageLimits.MAX_BATCH + " items");
                }
                items.add(parseItem(json, trace, requestId));
            }
            json.end();
            trace.pushes(items.size());
            return items;
        }
    }

    private Item parseItem(JsonReader json, RequestTrace trace, String requestId) {
        try {
            return new Item(parser.parseItem(json, maxBodyBytes, trace, requestId), null);
        } catch (JsonSyntaxException broken) {
            // The begin of the next item is unknown.
            throw broken;
        } catch (DelayException refused) {
            json.leave(ARRAY_DEPTH);
            return new Item(null, refused);
        }
    }

    private Pushed push(Item item) {
        if (item.refused() != null) {
            producers.refused(item.refused().code());
            return new Pushed("", CompletableFuture.failedFuture(item.refused()));
        }
        String id = item.request().message().id();
        CompletableFuture<PushResult> pushed;
        try {
            pushed = producers.push(item.request().checked(), Via.BATCH);
        } catch (RuntimeException | Error defect) {
            // The items before it are already pushed and still need their answers.
            return new Pushed(id, CompletableFuture.failedFuture(defect));
        }
        return new Pushed(id, pushed);
    }

    private static Reply reply(List<Pushed> pushes) {
        return Envelope.batch(pushes.stream().map(BatchHandler::reply).toList());
    }

    private static Reply reply(Pushed push) {
        try {
            PushResult result = push.result().join();
            return Envelope.accepted(push.id(), result.status());
        } catch (RuntimeException refused) {
            return ErrorMapper.failure(refused).ofPush(push.id()).reply();
        }
    }

    /** A pushed message whose result is not known yet. */
    private record Pushed(String id, CompletableFuture<PushResult> result) {}

    /** An item that was parsed or refused: one of the two components is null. */
    private record Item(PushRequest request, DelayException refused) {}
}
