package io.mykit.delay.lmstfy.queue;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.lmstfy.call.Refusal;
import io.mykit.delay.lmstfy.job.Job;
import io.mykit.delay.ports.call.Json;
import io.mykit.delay.ports.call.Reply;
import io.mykit.delay.ports.engine.Engine;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.consumer.PullAnswer;
import io.mykit.delay.queue.consumer.PullOrder;
import io.mykit.delay.queue.producer.MessageView;
import io.mykit.delay.queue.query.PeekedMessage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Looks at a queue and at single jobs, and empties a queue. Thread-safe; does not block. */
final class LookCalls {
    private static final int NOT_FOUND = 404;
    private static final int TOGETHER = 100;
    private static final int NO_LIMIT = 65_535;
    private static final Duration HOLD = Duration.ofSeconds(30);

    private final Engine engine;

    LookCalls(Engine engine) {
        this.engine = engine;
    }

    CompletableFuture<Reply> size(Queue queue) {
        return engine.workers()
                .run(() -> sized(queue, engine.topics().topic(queue.topic()).ready()));
    }

    static Reply sized(Queue queue, long size) {
        return Reply.ok(Json.object()
                .text("namespace", queue.namespace())
                .text("queue", queue.name())
                .number("size", size)
                .end());
    }

    /** The oldest ready job. */
    CompletableFuture<Reply> peek(Queue queue) {
        return engine.workers().run(() -> {
            List<PeekedMessage> first = engine.topics().peek(queue.topic(), Location.READY, 1);
            Optional<MessageView> found = first.stream().findFirst().flatMap(peeked -> engine.producers()
                    .find(peeked.message().id()));
            return found.map(view -> Reply.ok(job(queue, view).peeked(tries(view), engine.nowMs())))
                    .orElseThrow(() -> new Refusal(NOT_FOUND, "the queue is empty"));
        });
    }

    private static int tries(MessageView view) {
        int most = view.maxAttempts() == 0 ? NO_LIMIT : view.maxAttempts();
        return Math.max(0, most - view.attempts());
    }

    CompletableFuture<Reply> job(Queue queue, String jobId) {
        if (!AckCalls.isId(jobId)) {
            throw new Refusal(NOT_FOUND, "job not found");
        }
        return engine.workers().run(() -> engine.producers()
                .find(queue.stored(jobId))
                .filter(view -> isThere(view, queue))
                .map(view -> Reply.ok(job(queue, view).peeked(0, engine.nowMs())))
                .orElseThrow(() -> new Refusal(NOT_FOUND, "job not found")));
    }

    private boolean isThere(MessageView view, Queue queue) {
        boolean gone =
                switch (view.status()) {
                    case FINISH, DELETE, EXPIRED -> true;
                    case FAILED -> false;
                    default -> view.hold() == null && view.message().isExpired(engine.nowMs());
                };
        return !gone && view.message().topic().equals(queue.topic());
    }

    private static Job job(Queue queue, MessageView view) {
        return new Job(
                queue.namespace(),
                queue.name(),
                queue.jobId(view.message().id()),
                view.message(),
                view.status() == MessageStatus.FAILED);
    }

    /** Finishes the ready jobs, some at a time. */
    CompletableFuture<Reply> destroy(Queue queue) {
        PullOrder order = new PullOrder(List.of(queue.topic()), TOGETHER, Duration.ZERO, HOLD, true);
        CompletableFuture<PullAnswer> answer = new CompletableFuture<>();
        var unused = engine.consumers().pull(order, answer::complete);
        return answer.thenCompose(some -> {
            if (some.failure() != null) {
                return CompletableFuture.failedFuture(some.failure());
            }
            return some.messages().isEmpty() ? CompletableFuture.completedFuture(Reply.DONE) : destroy(queue);
        });
    }
}
