package io.mykit.delay.grpc.task;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.grpc.call.Caller;
import io.mykit.delay.grpc.push.PushFields;
import io.mykit.delay.grpc.reply.Failures;
import io.mykit.delay.grpc.reply.Statuses;
import io.mykit.delay.queue.producer.CancelResult;
import io.mykit.delay.queue.producer.CheckedPush;
import io.mykit.delay.queue.producer.MessageView;
import io.mykit.delay.queue.producer.NewPush;
import io.mykit.delay.queue.producer.Producers;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.queue.producer.Via;
import io.mykit.delay.v1.CancelReply;
import io.mykit.delay.v1.GrpcTask;
import io.mykit.delay.v1.HttpTask;
import io.mykit.delay.v1.KafkaTask;
import io.mykit.delay.v1.Task;
import io.mykit.delay.v1.TaskId;
import io.mykit.delay.v1.TaskReply;
import java.util.concurrent.CompletableFuture;

/** Answers the calls that create, cancel and show tasks. {@link #cancel} and {@link #get} block. Thread-safe. */
public final class TaskCalls {
    private final Producers producers;
    private final TaskFields fields;

    public TaskCalls(Producers producers, PushFields fields) {
        this.producers = producers;
        this.fields = new TaskFields(fields);
    }

    public CompletableFuture<TaskReply> create(GrpcTask task, Caller caller) {
        return create(TaskKind.GRPC, fields.of(task), caller);
    }

    public CompletableFuture<TaskReply> create(HttpTask task, Caller caller) {
        return create(TaskKind.HTTP, fields.of(task), caller);
    }

    public CompletableFuture<TaskReply> create(KafkaTask task, Caller caller) {
        return create(TaskKind.KAFKA, fields.of(task), caller);
    }

    private CompletableFuture<TaskReply> create(TaskKind kind, NewPush push, Caller caller) {
        kind.require(push.topic(), producers.channel(push.topic()));
        CheckedPush checked = producers.rules().check(push.requestId(caller.requestId()), caller.trace()::kept);
        caller.trace().pushes(checked.message());
        String id = checked.message().id();
        return producers
                .push(checked, Via.GRPC)
                .thenApply(result -> TaskReply.newBuilder()
                        .setTaskId(id)
                        .setDuplicate(result.kind() == PushResult.Kind.SAME)
                        .setTaskStatus(Statuses.of(result.status()))
                        .build())
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(Failures.ofPush(failure, id)));
    }

    public CompletableFuture<CancelReply> cancel(TaskId task, Caller caller) {
        String id = FieldRules.id("taskId", task.getTaskId());
        CancelResult result = producers.cancel(id, caller.name());
        result.refusal(id).ifPresent(refusal -> {
            throw refusal;
        });
        return CompletableFuture.completedFuture(CancelReply.newBuilder()
                .setTaskId(id)
                .setAttempted(result == CancelResult.CANCELLED_AFTER_ATTEMPT)
                .build());
    }

    public CompletableFuture<Task> get(TaskId task, Caller caller) {
        String id = FieldRules.id("taskId", task.getTaskId());
        MessageView found = producers.find(id).orElseThrow(() -> DelayException.unknown(id));
        String channel = producers.channel(found.message().topic());
        Task.Builder shown = Task.newBuilder()
                .setTaskId(id)
                .setTaskType(TaskKind.typeOf(channel))
                .setTriggerAt(found.message().firstDueMs())
                .setTaskStatus(Statuses.of(found.status()))
                .setAttempts(found.attempts())
                .setNextAttempt(found.isWaiting() ? found.message().dueTimeMs() : 0)
                .setLastError(found.lastError())
                .setTopic(found.message().topic())
                .setChannel(channel)
                .setRequestId(found.message().extras().requestId());
        found.bucket().ifPresent(shown::setBucket);
        return CompletableFuture.completedFuture(shown.build());
    }
}
