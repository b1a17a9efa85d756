package io.mykit.delay.spring.transaction;

import io.mykit.delay.client.CancelResult;
import io.mykit.delay.client.KeyedResult;
import io.mykit.delay.client.RescheduleResult;
import io.mykit.delay.spring.call.Draft;
import io.mykit.delay.spring.call.DueTime;
import io.mykit.delay.spring.call.Key;
import java.util.List;
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

    record Reschedule(String id, DueTime dueTime, CompletableFuture<RescheduleResult> result) implements PendingCall {
        @Override
        public void fail(Throwable reason) {
            result.completeExceptionally(reason);
        }
    }

    record KeyCancel(Key key, CompletableFuture<List<KeyedResult<CancelResult>>> result) implements PendingCall {
        @Override
        public void fail(Throwable reason) {
            result.completeExceptionally(reason);
        }
    }

    record KeyReschedule(Key key, DueTime dueTime, CompletableFuture<List<KeyedResult<RescheduleResult>>> result)
            implements PendingCall {
        @Override
        public void fail(Throwable reason) {
            result.completeExceptionally(reason);
        }
    }
}
