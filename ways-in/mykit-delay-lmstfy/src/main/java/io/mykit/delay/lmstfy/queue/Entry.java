package io.mykit.delay.lmstfy.queue;

import io.mykit.delay.lmstfy.token.Admitted;
import io.mykit.delay.ports.call.Reply;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Lets a request in if its token is good and within its rate, as both are now. Thread-safe; does not block. */
@FunctionalInterface
interface Entry {
    /** @return the answer of the call; fails with a {@link io.mykit.delay.ports.call.Refused} if the request is not let in */
    CompletableFuture<Reply> enter(Function<Admitted, CompletableFuture<Reply>> call);
}
