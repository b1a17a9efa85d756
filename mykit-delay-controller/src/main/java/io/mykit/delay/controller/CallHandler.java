package io.mykit.delay.controller;

import java.util.concurrent.CompletableFuture;

/** What a route does. Called on an event loop; must not block. What it throws or fails with is for ErrorMapper. */
@FunctionalInterface
interface CallHandler {
    CompletableFuture<Reply> handle(Call call);
}
