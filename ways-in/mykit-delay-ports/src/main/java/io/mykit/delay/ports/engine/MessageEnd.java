package io.mykit.delay.ports.engine;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.queue.consumer.Settled;
import io.mykit.delay.queue.consumer.Settlement;
import io.mykit.delay.queue.consumer.Verb;
import io.mykit.delay.queue.producer.CancelResult;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Ends a message by its id, wherever it is: one that a consumer holds or could hold is finished, one that waits is cancelled, a dead letter
 * is discarded. The caller has made sure that the message is one of its own. Thread-safe; does not block.
 */
public final class MessageEnd {
    /** A message may fall due, or end its hold, between two looks. */
    private static final int TRIES = 3;

    private final Engine engine;
    private final String caller;

    /** @param caller continues a sentence in the flow log */
    public MessageEnd(Engine engine, String caller) {
        this.engine = engine;
        this.caller = caller;
    }

    /**
     * It does nothing if there is no such message. Fails with a {@link DelayException} if a part is away.
     *
     * @param receipt of the hold that probably has the message: with it, the message leaves the index at once, and the end is kept there
     *     while the store is away. Without it, the index keeps the message until the end of its hold
     */
    public CompletableFuture<Void> end(String id, Optional<String> receipt) {
        return finish(id, receipt, TRIES);
    }

    private CompletableFuture<Void> finish(String id, Optional<String> receipt, int tries) {
        Settlement order = new Settlement(id, receipt.orElse(null), null, null, "");
        return engine.consumers()
                .settle(Verb.ACK, List.of(order))
                .thenCompose(settled -> after(settled, id, receipt, tries));
    }

    private CompletableFuture<Void> after(List<Settled> settled, String id, Optional<String> receipt, int tries) {
        Optional<DelayException> refusal = settled.get(0).refusal();
        if (refusal.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return switch (refusal.get().code()) {
            case NOT_FOUND -> CompletableFuture.completedFuture(null);
            case ALREADY_FINISHED -> discard(id);
            // Another consumer may have the message, or the hold has ended: the message ends nevertheless.
            case LEASE_LOST -> receipt.isPresent() ? finish(id, Optional.empty(), tries) : cancel(id, tries);
            default -> CompletableFuture.failedFuture(refusal.get());
        };
    }

    private CompletableFuture<Void> discard(String id) {
        return engine.workers().run(() -> engine.operators().discardOne(id)).thenApply(done -> null);
    }

    private CompletableFuture<Void> cancel(String id, int tries) {
        return engine.workers().run(() -> engine.producers().cancel(id, caller)).thenCompose(result -> {
            if (result == CancelResult.ALREADY_FINISHED) {
                return discard(id);
            }
            if (result != CancelResult.ALREADY_DISPATCHED) {
                return CompletableFuture.completedFuture(null);
            }
            return tries > 1
                    ? finish(id, Optional.empty(), tries - 1)
                    : CompletableFuture.failedFuture(
                            new DelayException(ErrorCode.BUSY, "the job is changing its place now; try again"));
        });
    }
}
