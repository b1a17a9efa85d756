package io.mykit.delay.spring.transaction;

import io.mykit.delay.client.CancelResult;
import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.KeyedResult;
import io.mykit.delay.client.RescheduleResult;
import io.mykit.delay.spring.call.AtOnce;
import io.mykit.delay.spring.call.Draft;
import io.mykit.delay.spring.call.DueTime;
import io.mykit.delay.spring.call.Key;
import io.mykit.delay.spring.call.TemplateCalls;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Carries out calls at once, or inside a transaction after its commit. The calls of a transaction go together, in as few
 * requests as possible. Thread-safe; a transaction belongs to its thread.
 */
public record AfterCommit(DelayClient client) implements TemplateCalls {
    @Override
    public void push(Draft draft) {
        pending()
                .ifPresentOrElse(calls -> calls.add(new PendingCall.Push(draft)), () -> new AtOnce(client).push(draft));
    }

    @Override
    public CompletionStage<CancelResult> cancel(String id) {
        Objects.requireNonNull(id, "id");
        return call(result -> new PendingCall.Cancel(id, result), now -> now.cancel(id));
    }

    @Override
    public CompletionStage<RescheduleResult> reschedule(String id, DueTime dueTime) {
        Objects.requireNonNull(id, "id");
        return call(result -> new PendingCall.Reschedule(id, dueTime, result), now -> now.reschedule(id, dueTime));
    }

    @Override
    public CompletionStage<List<KeyedResult<CancelResult>>> cancel(Key key) {
        return call(result -> new PendingCall.KeyCancel(key, result), now -> now.cancel(key));
    }

    @Override
    public CompletionStage<List<KeyedResult<RescheduleResult>>> reschedule(Key key, DueTime dueTime) {
        return call(result -> new PendingCall.KeyReschedule(key, dueTime, result), now -> now.reschedule(key, dueTime));
    }

    private <R> CompletionStage<R> call(
            Function<CompletableFuture<R>, PendingCall> later, Function<TemplateCalls, CompletionStage<R>> now) {
        Optional<PendingCalls> pending = pending();
        if (pending.isEmpty()) {
            return now.apply(new AtOnce(client));
        }
        CompletableFuture<R> result = new CompletableFuture<>();
        pending.get().add(later.apply(result));
        return result;
    }

    /** The calls of the transaction of this thread; empty = there is no transaction. A suspended one is none. */
    private Optional<PendingCalls> pending() {
        if (!TransactionSynchronizationManager.isSynchronizationActive()
                || !TransactionSynchronizationManager.isActualTransactionActive()) {
            return Optional.empty();
        }
        return Optional.of(TransactionSynchronizationManager.getSynchronizations().stream()
                .filter(PendingCalls.class::isInstance)
                .map(PendingCalls.class::cast)
                .filter(calls -> calls.isFor(client))
                .findFirst()
                .orElseGet(this::register));
    }

    private PendingCalls register() {
        PendingCalls pending = new PendingCalls(client);
        TransactionSynchronizationManager.registerSynchronization(pending);
        return pending;
    }
}
