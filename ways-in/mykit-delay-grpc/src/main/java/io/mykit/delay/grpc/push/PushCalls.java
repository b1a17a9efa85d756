package io.mykit.delay.grpc.push;

import io.mykit.delay.access.limit.CallLimits;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.grpc.call.Caller;
import io.mykit.delay.grpc.reply.Failures;
import io.mykit.delay.grpc.reply.Statuses;
import io.mykit.delay.queue.producer.CheckedPush;
import io.mykit.delay.queue.producer.Producers;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.queue.producer.Via;
import io.mykit.delay.v1.BatchResult;
import io.mykit.delay.v1.Message;
import io.mykit.delay.v1.PushBatchReply;
import io.mykit.delay.v1.PushBatchRequest;
import io.mykit.delay.v1.PushReply;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Answers {@code Push} and {@code PushBatch}. A thread of the intake completes an answer. Thread-safe. */
public final class PushCalls {
    private final Producers producers;
    private final PushFields fields;
    private final CallLimits limits;

    public PushCalls(Producers producers, PushFields fields, CallLimits limits) {
        this.producers = producers;
        this.fields = fields;
        this.limits = limits;
    }

    public CompletableFuture<PushReply> push(Message message, Caller caller) {
        CheckedPush push =
                producers.rules().check(fields.of(message).requestId(caller.requestId()), caller.trace()::kept);
        caller.trace().pushes(push.message());
        String id = push.message().id();
        return producers
                .push(push, Via.GRPC)
                .thenApply(result -> PushReply.newBuilder()
                        .setId(id)
                        .setDuplicate(isDuplicate(result))
                        .setStatus(Statuses.of(result.status()))
                        .build())
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(Failures.ofPush(failure, id)));
    }

    /** Each message is accepted or refused on its own. */
    public CompletableFuture<PushBatchReply> pushBatch(PushBatchRequest batch, Caller caller) {
        if (batch.getMessagesCount() > MessageLimits.MAX_BATCH) {
            throw FieldRules.invalid("a batch has at most " + MessageLimits.MAX_BATCH + " messages");
        }
        caller.trace().pushes(batch.getMessagesCount());
        // The first message was asked for before the call; the others pass with it, and later calls wait for them.
        limits.passed(caller.principal(), CallLimits.Kind.PUSH, batch.getMessagesCount() - 1);
        List<CompletableFuture<BatchResult>> results = batch.getMessagesList().stream()
                .map(message -> item(message, caller))
                .toList();
        return CompletableFuture.allOf(results.toArray(CompletableFuture[]::new))
                .thenApply(all -> {
                    PushBatchReply.Builder reply = PushBatchReply.newBuilder();
                    results.forEach(result -> reply.addResults(result.join()));
                    return reply.build();
                });
    }

    private CompletableFuture<BatchResult> item(Message message, Caller caller) {
        CheckedPush push;
        try {
            push = producers.rules().check(fields.of(message).requestId(caller.requestId()), caller.trace()::kept);
        } catch (DelayException refused) {
            producers.refused(refused.code());
            return CompletableFuture.completedFuture(refusal(message.getId(), refused));
        } catch (RuntimeException | Error defect) {
            return CompletableFuture.completedFuture(refusal(message.getId(), Failures.known(defect)));
        }
        String id = push.message().id();
        return pushed(push)
                .thenApply(result -> BatchResult.newBuilder()
                        .setId(id)
                        .setDuplicate(isDuplicate(result))
                        .setStatus(Statuses.of(result.status()))
                        .build())
                .exceptionally(failure -> refusal(id, Failures.known(failure)));
    }

    /** A defect fails its own item: the items before it are already pushed and still need their answers. */
    private CompletableFuture<PushResult> pushed(CheckedPush push) {
        try {
            return producers.push(push, Via.GRPC);
        } catch (RuntimeException | Error defect) {
            return CompletableFuture.failedFuture(defect);
        }
    }

    private static BatchResult refusal(String id, DelayException refused) {
        return BatchResult.newBuilder()
                .setId(id)
                .setError(Failures.item(refused))
                .build();
    }

    private static boolean isDuplicate(PushResult result) {
        return result.kind() == PushResult.Kind.SAME;
    }
}
