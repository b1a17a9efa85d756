package io.mykit.delay.grape.job;

import io.mykit.delay.access.Principal;
import io.mykit.delay.access.limit.CallLimits.Kind;
import io.mykit.delay.grape.call.Parameters;
import io.mykit.delay.grape.tube.Tube;
import io.mykit.delay.grape.tube.Tubes;
import io.mykit.delay.ports.call.Reply;
import io.mykit.delay.ports.call.Request;
import io.mykit.delay.ports.engine.Engine;
import io.mykit.delay.ports.engine.Rates;
import io.mykit.delay.queue.consumer.PullAnswer;
import io.mykit.delay.queue.consumer.PullOrder;
import io.mykit.delay.queue.consumer.PullRules;
import io.mykit.delay.queue.consumer.PulledMessage;
import io.mykit.delay.queue.consumer.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** Hands jobs out. A consumer does not wait. Thread-safe; does not block. */
public final class ConsumeCall {
    private static final Reply NONE = Reply.ok("[]");

    private final Engine engine;
    private final Tubes tubes;
    private final Rates rates;

    public ConsumeCall(Engine engine, Tubes tubes, Rates rates) {
        this.engine = engine;
        this.tubes = tubes;
        this.rates = rates;
    }

    public CompletableFuture<Reply> consume(Request request, Principal caller) {
        int max = Parameters.max(request.query(), PullRules.MAX_COUNT);
        return tubes.existing(Parameters.tube(request.query())).thenCompose(tube -> {
            PullOrder order = new PullOrder(
                    List.of(tube.topic()), max, Duration.ZERO, null, false, PullRules.consumerAt(request.address()));
            CompletableFuture<Reply> reply = new CompletableFuture<>();
            Waiting waiting = engine.consumers().pull(order, answer -> give(answer, tube, caller, reply));
            request.hangUp().accept(() -> {
                waiting.cancel();
                reply.complete(NONE);
            });
            return reply;
        });
    }

    private void give(PullAnswer answer, Tube tube, Principal caller, CompletableFuture<Reply> reply) {
        if (answer.failure() != null) {
            reply.completeExceptionally(answer.failure());
            return;
        }
        List<PulledMessage> messages = answer.messages();
        Runnable giveBack = () -> engine.consumers().giveBack(messages);
        try {
            String jobs =
                    messages.stream().map(pulled -> json(pulled, tube)).collect(Collectors.joining(",", "[", "]"));
            if (reply.complete(messages.isEmpty() ? NONE : Reply.ok(jobs).ifUnsent(giveBack))) {
                rates.passed(caller, Kind.PULL, messages.size());
            } else {
                giveBack.run();
            }
        } catch (RuntimeException | Error defect) {
            giveBack.run();
            reply.completeExceptionally(defect);
        }
    }

    private String json(PulledMessage pulled, Tube tube) {
        return JobJson.of(
                tube.jid(pulled.message().id()),
                pulled.message(),
                ttrMs(engine, pulled.message().extras().ttrMs()),
                pulled.deliveries() - 1L);
    }

    /** The time that a consumer has, milliseconds; a message of a native push may leave it to the queue. */
    static long ttrMs(Engine engine, long given) {
        return given == 0 ? engine.consumers().limits().ttr().toMillis() : given;
    }
}
