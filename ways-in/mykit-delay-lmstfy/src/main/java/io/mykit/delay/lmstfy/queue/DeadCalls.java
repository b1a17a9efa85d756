package io.mykit.delay.lmstfy.queue;

import io.mykit.delay.lmstfy.call.Numbers;
import io.mykit.delay.lmstfy.call.Refusal;
import io.mykit.delay.ports.call.Json;
import io.mykit.delay.ports.call.Reply;
import io.mykit.delay.ports.call.Request;
import io.mykit.delay.ports.engine.Engine;
import io.mykit.delay.queue.store.DeadCursor;
import io.mykit.delay.queue.store.DeadQuery;
import io.mykit.delay.queue.store.DeadTopic;
import java.util.concurrent.CompletableFuture;

/** The dead letters of a queue. Thread-safe; does not block. */
final class DeadCalls {
    /** lmstfy's, whatever the default of a publish is. */
    private static final long TTL_SECONDS = 86_400;

    private static final long MAX_TTL_SECONDS = Integer.MAX_VALUE;
    /** A respawned job has one try, whatever its publish said. */
    private static final int ONCE = 1;

    private final Engine engine;

    DeadCalls(Engine engine) {
        this.engine = engine;
    }

    CompletableFuture<Reply> size(Queue queue) {
        return engine.workers().run(() -> LookCalls.sized(queue, count(queue)));
    }

    CompletableFuture<Reply> peek(Queue queue) {
        return engine.workers().run(() -> {
            long size = count(queue);
            String head = size == 0
                    ? ""
                    : engine.operators().deadLetters(queue.topic(), DeadQuery.ALL, DeadCursor.START, 1).stream()
                            .findFirst()
                            .map(letter -> queue.jobId(letter.id()))
                            .orElse("");
            return Reply.ok(Json.object()
                    .text("namespace", queue.namespace())
                    .text("queue", queue.name())
                    .number("deadletter_size", size)
                    .text("deadletter_head", head)
                    .end());
        });
    }

    CompletableFuture<Reply> respawn(Request request, Queue queue) {
        long limit = limit(request);
        long ttl = Numbers.signed(request.query(), "ttl", TTL_SECONDS);
        if (ttl < 0) {
            throw Refusal.invalid("ttl");
        }
        long ttlSeconds = Math.min(ttl, MAX_TTL_SECONDS);
        return engine.workers()
                .run(() -> engine.operators().respawn(queue.topic(), limit, ONCE, ttlSeconds))
                .thenApply(count -> Reply.ok(Json.object()
                        .number("count", count)
                        .text("msg", "respawned")
                        .end()));
    }

    CompletableFuture<Reply> discard(Request request, Queue queue) {
        long limit = limit(request);
        return engine.workers()
                .run(() -> engine.operators().discard(queue.topic(), limit))
                .thenApply(count -> Reply.DONE);
    }

    private static long limit(Request request) {
        long limit = Numbers.signed(request.query(), "limit", 1);
        if (limit <= 0) {
            throw Refusal.invalid("limit");
        }
        return limit;
    }

    /** The topics that begin with this one come in order, itself first. */
    private long count(Queue queue) {
        return engine.operators().deadTopics(queue.topic(), 1).stream()
                .filter(dead -> dead.topic().equals(queue.topic()))
                .mapToLong(DeadTopic::count)
                .sum();
    }
}
