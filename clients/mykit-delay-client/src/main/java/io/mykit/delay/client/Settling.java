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
    CompletableFuture<Void> settle(PulledMessage message, String name, Supplier<CompletableFuture<SettleResult>> call) {
        return call.get()
                .thenAccept(result -> {
                    if (result != SettleResult.DONE) {
                        tell(() -> listener.notSettled(message, name, result));
                    }
                })
                .exceptionally(failure -> {
                    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                    if (cause instanceof DelayClientException known) {
                        tell(() -> listener.settleFailed(message, name, known));
                    }
                    return null;
                });
    }

    void handlerFailed(PulledMessage message, Throwable failure) {
        tell(() -> listener.handlerFailed(message, failure));
    }

    void pullFailed(Throwable failure) {
        tell(() -> listener.pullFailed(failure));
    }

    void pullRecovered() {
        tell(listener::pullRecovered);
    }

    /** A listener that fails ends nothing. */
    private static void tell(Runnable event) {
        try {
            event.run();
        } catch (RuntimeException dropped) {
            // The consumer goes on. Its next step depends on the message alone.
        }
    }
}
