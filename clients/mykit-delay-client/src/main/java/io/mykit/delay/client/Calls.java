package io.mykit.delay.client;

import io.mykit.delay.client.json.JsonException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * Sends calls with their tries, and reads the answers. Thread-safe.
 *
 * @param retryFor no try begins later than that after the first one
 */
record Calls(Transport transport, Duration retryFor) {
    CompletableFuture<Answer> send(Request request) {
        return Exchange.begin(transport, request, retryFor);
    }

    /** Cancelling the future ends the call. */
    <T> CompletableFuture<T> send(Request request, Function<Answer, T> reader) {
        CompletableFuture<Answer> answer = send(request);
        CompletableFuture<T> result = readable(answer.thenApply(reader));
        var unused = result.whenComplete((value, failure) -> {
            if (result.isCancelled()) {
                answer.cancel(true);
            }
        });
        return result;
    }

    /** The same future, whose failures are those that the application knows. */
    static <T> CompletableFuture<T> readable(CompletableFuture<T> future) {
        return future.exceptionally(failure -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            if (cause instanceof JsonException) {
                String message = "the answer has an unexpected form: " + cause.getMessage();
                throw new DelayUnavailableException(message, cause, true);
            }
            throw failure instanceof CompletionException known ? known : new CompletionException(failure);
        });
    }
}
