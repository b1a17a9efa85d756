package io.mykit.delay.spring.transaction;

import io.mykit.delay.client.CancelResult;
import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.RescheduleResult;
import io.mykit.delay.spring.call.AtOnce;
import io.mykit.delay.spring.call.Draft;
import io.mykit.delay.spring.call.Move;
import io.mykit.delay.spring.call.TemplateCalls;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
        Optional<PendingCalls> pending = pending();
        if (pending.isEmpty()) {
            return new AtOnce(client).cancel(id);
        }
        PendingCall.Cancel call = new PendingCall.Cancel(id, new CompletableFuture<>());
        pending.get().add(call);
        return call.result();
    }

    @Override
    public CompletionStage<RescheduleResult> reschedule(Move move) {
        Optional<PendingCalls> pending = pending();
        if (pending.isEmpty()) {
            return new AtOnce(client).reschedule(move);
        }
        PendingCall.Reschedule call = new PendingCall.Reschedule(move, new CompletableFuture<>());
        pending.get().add(call);
        return call.result();
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
