package io.mykit.delay.controller.call;

import io.mykit.delay.controller.reply.Reply;
import java.util.concurrent.CompletableFuture;

/**
 * Answers the calls of a route. Called on an event loop; must not block. An exception, thrown or in the future, becomes an
 * answer by {@link io.mykit.delay.controller.reply.ErrorMapper}.
 */
@FunctionalInterface
public interface CallHandler {
    CompletableFuture<Reply> handle(Call call);
}
