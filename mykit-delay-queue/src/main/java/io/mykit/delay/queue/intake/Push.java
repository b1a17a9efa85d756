package io.mykit.delay.queue.intake;

import io.mykit.delay.common.message.DelayMessage;
import java.util.concurrent.CompletableFuture;

/** One message on its way through the intake, with the future on which its producer waits. */
record Push(DelayMessage message, boolean replace, CompletableFuture<PushResult> future) {

    Push(DelayMessage message, boolean replace) {
        this(message, replace, new CompletableFuture<>());
    }

    String id() {
        return message.id();
    }

    void accept(PushResult result) {
        future.complete(result);
    }

    void fail(Throwable failure) {
        future.completeExceptionally(failure);
    }
}
