package io.mykit.delay.controller.push;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.call.Workers;
import io.mykit.delay.controller.json.JsonReader;
import io.mykit.delay.controller.json.JsonSyntaxException;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.controller.text.FieldRules;
import io.mykit.delay.queue.intake.PushResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * {@code POST /push/batch}: every item is accepted or refused on its own, but none is pushed before the last one was
 * read, so that a broken array leaves nothing behind.
 */
final class BatchHandler implements CallHandler {
    /** The depth between two items. */
    private static final int ARRAY_DEPTH = 1;

    private final PushParser parser;
    private final Intake intake;
    private final Workers workers;
    private final int maxBodyBytes;

    BatchHandler(PushParser parser, Intake intake, Workers workers, int maxBodyBytes) {
        this.parser = parser;
        this.intake = intake;
        this.workers = workers;
        this.maxBodyBytes = maxBodyBytes;
    }

    @Override
    public CompletableFuture<Reply> handle(Call call) {
        byte[] bytes = call.json();
        return workers.run(() -> parse(bytes).stream().map(this::push).toList())
                .thenCompose(pushes -> CompletableFuture.allOf(
                                pushes.stream().map(Pushed::result).toArray(CompletableFuture[]::new))
                        .handleAsync(
                                (all, someFailed) -> reply(pushes),
                                call.client().loop()));
    }

    private List<Item> parse(byte[] bytes) {
        try (JsonReader json = PushParser.reader(bytes)) {
            List<Item> items = new ArrayList<>();
            json.beginArray();
            while (json.nextItem()) {
                if (items.size() == MessageLimits.MAX_BATCH) {
                    throw FieldRules.invalid("a batch has at most " + MessageLimits.MAX_BATCH + " items");
                }
                items.add(parseItem(json));
            }
            json.end();
            return items;
        }
    }

    private Item parseItem(JsonReader json) {
        try {
            return new Item(parser.parseItem(json, maxBodyBytes), null);
        } catch (JsonSyntaxException broken) {
            // Where the next item would begin is unknown.
            throw broken;
        } catch (DelayException refused) {
            json.leave(ARRAY_DEPTH);
            return new Item(null, refused);
        }
    }

    private Pushed push(Item item) {
        if (item.refused() != null) {
            return new Pushed("", CompletableFuture.failedFuture(item.refused()));
        }
        String id = item.request().message().id();
        CompletableFuture<PushResult> pushed;
        try {
            pushed = intake.push(item.request().message(), item.request().replace());
        } catch (RuntimeException | Error defect) {
            // The items before it are on their way: they still need their answer.
            return new Pushed(id, CompletableFuture.failedFuture(defect));
        }
        return new Pushed(id, pushed);
    }

    private static Reply reply(List<Pushed> pushes) {
        return Envelope.batch(pushes.stream().map(BatchHandler::reply).toList());
    }

    private static Reply reply(Pushed push) {
        try {
            push.result().join();
            return Envelope.accepted(push.id());
        } catch (RuntimeException refused) {
            return ErrorMapper.failure(refused).ofPush(push.id()).reply();
        }
    }

    /** A message on its way. */
    private record Pushed(String id, CompletableFuture<PushResult> result) {}

    /** One of the two is null. */
    private record Item(PushRequest request, DelayException refused) {}
}
