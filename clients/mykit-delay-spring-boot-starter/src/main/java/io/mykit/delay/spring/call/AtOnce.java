package io.mykit.delay.spring.call;

import io.mykit.delay.client.CancelResult;
import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.KeyedResult;
import io.mykit.delay.client.RescheduleResult;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Carries out each call before it returns. A failure is thrown. Thread-safe. */
public record AtOnce(DelayClient client) implements TemplateCalls {
    @Override
    public void push(Draft draft) {
        var unused = client.push(draft.message());
    }

    @Override
    public CompletionStage<CancelResult> cancel(String id) {
        return CompletableFuture.completedStage(client.cancel(id));
    }

    @Override
    public CompletionStage<RescheduleResult> reschedule(String id, DueTime dueTime) {
        return CompletableFuture.completedStage(dueTime.move(client, id));
    }

    @Override
    public CompletionStage<List<KeyedResult<CancelResult>>> cancel(Key key) {
        return CompletableFuture.completedStage(key.of(client).cancel());
    }

    @Override
    public CompletionStage<List<KeyedResult<RescheduleResult>>> reschedule(Key key, DueTime dueTime) {
        return CompletableFuture.completedStage(dueTime.move(client, key));
    }
}
