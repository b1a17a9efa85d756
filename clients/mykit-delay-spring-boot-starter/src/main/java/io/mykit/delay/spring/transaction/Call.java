package io.mykit.delay.spring.transaction;

import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.KeyedResult;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A cancel or a reschedule, of one message or of those of a business key.
 *
 * @param kind names the call, with the topic if it is for a business key
 * @param target the id or the business key
 */
record Call<T>(String kind, String target, CompletableFuture<T> result, Function<DelayClient, T> call) implements Step {
    /** A failure for one message of a business key goes to the failures. That of the whole call is thrown. */
    void run(DelayClient client, Failures failures) {
        T value = call.apply(client);
        result.complete(value);
        if (value instanceof List<?> many) {
            many.stream().map(KeyedResult.class::cast).forEach(each -> note((KeyedResult<?>) each, failures));
        }
    }

    private void note(KeyedResult<?> each, Failures failures) {
        each.failure().ifPresent(failure -> failures.noteOne(kind + " " + each.id(), failure));
    }

    @Override
    public void fail(RuntimeException reason) {
        result.completeExceptionally(reason);
    }

    @Override
    public String toString() {
        return kind + " " + target;
    }
}
