package io.mykit.delay.queue.intake;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.queue.store.StoredMessage;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One message on its way through the intake, with the future on which its producer waits. */
record Push(DelayMessage message, boolean replace, CompletableFuture<PushResult> future) {

    Push(DelayMessage message, boolean replace) {
        this(message, replace, new CompletableFuture<>());
    }

    String id() {
        return message.id();
    }

    /**
     * Whether this push was accepted before, so that it changes nothing. With an idempotency key the key decides, whatever has
     * happened to the message since. Without a key the same content decides for a message that waits or was delivered, and with
     * {@code replace} also the due time: the same delay again is a later due time, and so a new push.
     *
     * @param existing the row with this id
     * @param sameContent see {@link DelayMessage#sameContent}
     */
    boolean repeats(StoredMessage existing, boolean sameContent) {
        List<String> keys = message.extras().idempotencyKeys();
        if (!keys.isEmpty()) {
            return existing.message().extras().idempotencyKeys().contains(keys.get(0));
        }
        boolean alive = existing.status().isUnfinished() || existing.status() == MessageStatus.FINISH;
        return sameContent
                && alive
                && (!replace || message.dueTimeMs() == existing.message().firstDueMs());
    }

    void accept(PushResult result) {
        future.complete(result);
    }

    void fail(Throwable failure) {
        future.completeExceptionally(failure);
    }
}
