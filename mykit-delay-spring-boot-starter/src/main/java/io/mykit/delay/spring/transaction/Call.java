package io.mykit.delay.spring.transaction;

import io.mykit.delay.client.DelayClient;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A cancel or a reschedule. */
record Call<T>(String name, CompletableFuture<T> result, Function<DelayClient, T> call) implements Step {
    void run(DelayClient client) {
        result.complete(call.apply(client));
    }

    @Override
    public void fail(RuntimeException reason) {
        result.completeExceptionally(reason);
    }

    @Override
    public String toString() {
        return name;
    }
}
