package io.mykit.delay.spring.call;

import io.mykit.delay.client.CancelResult;
import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.RescheduleResult;
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
    public CompletionStage<RescheduleResult> reschedule(Move move) {
        return CompletableFuture.completedStage(move.call().apply(client));
    }
}
