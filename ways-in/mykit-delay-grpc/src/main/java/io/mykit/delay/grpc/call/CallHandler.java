package io.mykit.delay.grpc.call;

import java.util.concurrent.CompletableFuture;

/**
 * Answers the calls of a method. Called on an event loop, and must not block; a method that blocks says so, see {@link CallRules}. A failure,
 * thrown or in the future, becomes a status.
 *
 * @param <Q> the request
 * @param <A> the answer
 */
@FunctionalInterface
public interface CallHandler<Q, A> {
    CompletableFuture<A> handle(Q request, Caller caller);
}
