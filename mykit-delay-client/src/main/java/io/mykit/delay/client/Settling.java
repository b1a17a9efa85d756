package io.mykit.delay.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Calls on the messages of a consumer; the listener is told what goes wrong. Thread-safe.
 *
 * @param client with the patience of the consumer
 */
record Settling(AsyncDelayClient client, ConsumerListener listener) {
    CompletableFuture<Void> release(PulledMessage message) {
        return settle(message, "release", () -> client.release(message));
    }

    /** The future never fails. */
    CompletableFuture<Void> settle(
            PulledMessage message, String name, Supplier<CompletableFuture<SettleResult>> call) {
        return call.get()
                .thenAccept(result -> {
                    if (result != SettleResult.DONE) {
                        listener.notSettled(message, name, result);
                    }
                })
                .exceptionally(failure -> {
                    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                    if (cause instanceof DelayClientException known) {
                        listener.settleFailed(message, name, known);
                    }
                    return null;
                });
    }
}
