package io.mykit.delay.spring.transaction;

import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.DelayClientException;
import io.mykit.delay.client.KeyedResult;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;

/** A cancel or a reschedule, of one message or of those of a business key. */
record Call<T>(String name, CompletableFuture<T> result, Function<DelayClient, T> call) implements Step {
    /** Returns the failure of the first message for which the call failed, if it is a call for many. */
    Optional<DelayClientException> run(DelayClient client) {
        T value = call.apply(client);
        result.complete(value);
        Stream<?> values = value instanceof List<?> many ? many.stream() : Stream.empty();
        return values.map(KeyedResult.class::cast)
                .flatMap(each -> ((KeyedResult<?>) each).failure().stream())
                .findFirst();
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
