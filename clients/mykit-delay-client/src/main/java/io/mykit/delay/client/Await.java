package io.mykit.delay.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Waits for the outcome of a call. Stateless. */
final class Await {
    private Await() {}

    static <T> T result(CompletableFuture<T> call) {
        try {
            return call.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof DelayClientException failure) {
                throw failure;
            }
            throw new IllegalStateException("a defect of the client", e.getCause());
        } catch (InterruptedException e) {
            call.cancel(true);
            Thread.currentThread().interrupt();
            throw new DelayUnavailableException("interrupted while waiting for an answer", e, true);
        }
    }
}
