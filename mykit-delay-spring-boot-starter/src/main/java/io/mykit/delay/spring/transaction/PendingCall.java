package io.mykit.delay.spring.transaction;

import io.mykit.delay.client.CancelResult;
import io.mykit.delay.client.RescheduleResult;
import io.mykit.delay.spring.call.Draft;
import io.mykit.delay.spring.call.Move;
import java.util.concurrent.CompletableFuture;

/** A call of a transaction, as the application made it. */
sealed interface PendingCall {
    /** The application is told that the call is not carried out. A sender is told by an exception alone. */
    default void fail(Throwable reason) {}

    record Push(Draft draft) implements PendingCall {}

    record Cancel(String id, CompletableFuture<CancelResult> result) implements PendingCall {
        @Override
        public void fail(Throwable reason) {
            result.completeExceptionally(reason);
        }
    }

    record Reschedule(Move move, CompletableFuture<RescheduleResult> result) implements PendingCall {
        @Override
        public void fail(Throwable reason) {
            result.completeExceptionally(reason);
        }
    }
}
