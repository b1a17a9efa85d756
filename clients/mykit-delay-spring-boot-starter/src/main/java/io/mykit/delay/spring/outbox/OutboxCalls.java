package io.mykit.delay.spring.outbox;

import io.mykit.delay.client.CancelResult;
import io.mykit.delay.client.KeyedResult;
import io.mykit.delay.client.Message;
import io.mykit.delay.client.PushResult;
import io.mykit.delay.client.RescheduleResult;
import io.mykit.delay.outbox.DelayOutbox;
import io.mykit.delay.spring.call.Draft;
import io.mykit.delay.spring.call.DueTime;
import io.mykit.delay.spring.call.Key;
import io.mykit.delay.spring.call.TemplateCalls;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Writes each call as a row: in the transaction of the thread, or without one in a transaction of its own. So all calls on a message keep
 * their order. The results are told to an {@code OutboxListener}. Thread-safe.
 */
public record OutboxCalls(DelayOutbox outbox, Rows rows) implements TemplateCalls {
    @Override
    public void push(Draft draft) {
        rows.write(connection -> outbox.push(connection, draft.message()));
    }

    /** Pushes of another way in. They have their results when they are rows. */
    public CompletionStage<List<PushResult>> pushAll(List<Message> messages) {
        rows.write(connection -> {
            for (Message message : messages) {
                outbox.push(connection, message);
            }
        });
        return CompletableFuture.completedStage(messages.stream()
                .map(message -> new PushResult(message.id(), Optional.empty()))
                .toList());
    }

    @Override
    public CompletionStage<CancelResult> cancel(String id) {
        rows.write(connection -> outbox.cancel(connection, id));
        return told();
    }

    @Override
    public CompletionStage<RescheduleResult> reschedule(String id, DueTime dueTime) {
        rows.write(connection -> {
            if (dueTime instanceof DueTime.After after) {
                outbox.reschedule(connection, id, Duration.ofMillis(after.ms()));
            } else if (dueTime instanceof DueTime.At at) {
                outbox.reschedule(connection, id, Instant.ofEpochMilli(at.ms()));
            }
        });
        return told();
    }

    @Override
    public CompletionStage<List<KeyedResult<CancelResult>>> cancel(Key key) {
        rows.write(connection -> outbox.cancelOfKey(connection, key.topic(), key.bizKey()));
        return told();
    }

    @Override
    public CompletionStage<List<KeyedResult<RescheduleResult>>> reschedule(Key key, DueTime dueTime) {
        rows.write(connection -> {
            if (dueTime instanceof DueTime.After after) {
                outbox.rescheduleOfKey(connection, key.topic(), key.bizKey(), Duration.ofMillis(after.ms()));
            } else if (dueTime instanceof DueTime.At at) {
                outbox.rescheduleOfKey(connection, key.topic(), key.bizKey(), Instant.ofEpochMilli(at.ms()));
            }
        });
        return told();
    }

    /** The relay of another instance may make the call, so nobody here would complete a stage. */
    private static <R> CompletionStage<R> told() {
        return CompletableFuture.failedStage(new UnsupportedOperationException(
                "the call is in the outbox and will be made; a bean of OutboxListener is told its result"));
    }
}
