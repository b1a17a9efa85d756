package io.mykit.delay.grape.tube;

import io.mykit.delay.access.Principal;
import io.mykit.delay.access.audit.AuditTrail;
import io.mykit.delay.access.audit.AuditedAction;
import io.mykit.delay.access.scope.ScopedTurn;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.config.PolicyText;
import io.mykit.delay.grape.call.Parameters;
import io.mykit.delay.ports.call.Json;
import io.mykit.delay.ports.call.Reply;
import io.mykit.delay.ports.call.Request;
import io.mykit.delay.ports.engine.Engine;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.consumer.SettleResult;
import io.mykit.delay.queue.consumer.Settled;
import io.mykit.delay.queue.consumer.Settlement;
import io.mykit.delay.queue.consumer.Verb;
import io.mykit.delay.queue.operator.ClearOrder;
import io.mykit.delay.queue.operator.Operators;
import io.mykit.delay.queue.query.PeekedMessage;
import io.mykit.delay.queue.query.TopicView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Makes, shows and drops tubes. Thread-safe; does not block. */
public final class TubeCalls {
    private static final Reply TRUE = Reply.ok("true");
    /** A job whose consumer did not finish it is ready again at once, however often. */
    private static final Map<String, Optional<String>> POLICY =
            Map.of("maxAttempts", Optional.of("0"), "interval", Optional.of("0ms"));

    private static final Map<String, Optional<String>> NO_POLICY = PolicyText.NAMES.stream()
            .collect(Collectors.toUnmodifiableMap(Function.identity(), name -> Optional.empty()));

    private static final int TOGETHER = 100;

    private final Engine engine;
    private final Tubes tubes;
    private final AuditTrail audit;

    public TubeCalls(Engine engine, Tubes tubes, AuditTrail audit) {
        this.engine = engine;
        this.tubes = tubes;
        this.audit = audit;
    }

    public CompletableFuture<Reply> create(Request request, Principal caller) {
        Tube tube = tubes.named(Parameters.tube(request.query()));
        if (tubes.find(tube.name()).isPresent()) {
            return CompletableFuture.completedFuture(TRUE);
        }
        return engine.workers()
                .run(() -> recorded(request, caller, "createTube", tube, () -> engine.operators()
                        .changeTopic(tube.topic(), POLICY)));
    }

    /** A second call goes on where one ended that failed. */
    public CompletableFuture<Reply> delete(Request request, Principal caller) {
        String name = Parameters.tube(request.query());
        if (!name.isEmpty() && !Tubes.isName(name)) {
            // No tube can have this name, and Grape says nothing of it.
            return CompletableFuture.completedFuture(TRUE);
        }
        Tube tube = tubes.named(name);
        return engine.workers().run(() -> {
            Operators operators = engine.operators();
            Runnable turn = caller.isConfined() ? ScopedTurn.take(operators) : operators.turn();
            try {
                return recorded(request, caller, "deleteTube", tube, () -> drop(tube.topic()));
            } finally {
                turn.run();
            }
        });
    }

    /** First the tube is unknown, so that no job comes any more. */
    private void drop(String topic) {
        engine.operators().changeTopic(topic, NO_POLICY);
        finishHeld(topic);
        var unused = engine.operators().clear(new ClearOrder(Optional.of(topic), false));
        finishHeld(topic);
        long unusedCount = engine.operators().discard(topic, Long.MAX_VALUE);
    }

    /** Consumers that take jobs meanwhile get none any more as soon as their nodes know of the drop. */
    private void finishHeld(String topic) {
        boolean more = true;
        while (more) {
            List<Settlement> held = engine.topics().peek(topic, Location.TAKEN, TOGETHER).stream()
                    .map(TubeCalls::finish)
                    .flatMap(Optional::stream)
                    .toList();
            more = false;
            for (Settled settled : engine.consumers().settle(Verb.ACK, held).join()) {
                if (settled.failure() != null) {
                    throw settled.failure();
                }
                more |= settled.result() == SettleResult.DONE;
            }
        }
    }

    /** Empty if no consumer holds the job. */
    private static Optional<Settlement> finish(PeekedMessage peeked) {
        DelayMessage message = peeked.message();
        return Optional.ofNullable(peeked.hold())
                .flatMap(hold -> hold.forConsumer(message.version(), peeked.attempts()))
                .map(receipt -> new Settlement(message.id(), receipt, null, null, ""));
    }

    public CompletableFuture<Reply> list() {
        return CompletableFuture.completedFuture(
                Reply.ok(Json.array(tubes.all().stream().map(Tube::name).toList())));
    }

    public CompletableFuture<Reply> stats() {
        return engine.workers()
                .run(() -> Reply.ok(tubes.all().stream().map(this::stats).collect(Collectors.joining(",", "[", "]"))));
    }

    public CompletableFuture<Reply> stats(String name) {
        return tubes.existing(name).thenCompose(tube -> engine.workers().run(() -> Reply.ok(stats(tube))));
    }

    /** A ready job is in Grape's delay queue. */
    private String stats(Tube tube) {
        TopicView view = engine.topics().topic(tube.topic());
        return Json.object()
                .number("dateTime", engine.nowMs())
                .text("tubeName", tube.name())
                .number("delayQueueSize", view.waiting() + view.ready())
                .number("retainQueueSize", view.held())
                .number("failedQueueSize", view.dead())
                .end();
    }

    private Reply recorded(Request request, Principal caller, String action, Tube tube, Runnable work) {
        return audit.recorded(
                new AuditedAction(caller.name(), request.address(), action, tube.topic(), "by Grape's API"), () -> {
                    work.run();
                    return TRUE;
                });
    }
}
