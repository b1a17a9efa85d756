package io.mykit.delay.lmstfy.queue;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.lmstfy.call.Reply;
import io.mykit.delay.queue.consumer.Settled;
import io.mykit.delay.queue.consumer.Settlement;
import io.mykit.delay.queue.consumer.Verb;
import io.mykit.delay.queue.producer.CancelResult;
import io.mykit.delay.queue.producer.MessageView;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Ends jobs by their ids, wherever they are: a job that a consumer holds or could hold is finished, one that waits is cancelled, a dead
 * letter is discarded. Only a job of the named queue is touched, and the answer is the same whatever was found. Thread-safe; does not block.
 */
final class AckCalls {
    private static final String CALLER = "a client of lmstfy's API";
    /** No receipt. */
    private static final String BY_ID = null;

    /** A job may fall due, or end its hold, between two looks. */
    private static final int TRIES = 3;

    private final Engine engine;
    private final KnownJobs known;

    AckCalls(Engine engine, KnownJobs known) {
        this.engine = engine;
        this.known = known;
    }

    CompletableFuture<Reply> ack(Queue queue, String jobId) {
        return end(queue, jobId).thenApply(done -> Reply.DONE);
    }

    /** Fails with a {@link DelayException} if a part is away. */
    CompletableFuture<Void> end(Queue queue, String jobId) {
        if (!isId(jobId)) {
            return CompletableFuture.completedFuture(null);
        }
        String id = queue.stored(jobId);
        Optional<KnownJobs.Handed> handed = known.find(id);
        if (handed.isPresent()) {
            return handed.get().topic().equals(queue.topic())
                    ? finish(id, handed.get().receipt(), TRIES)
                    : CompletableFuture.completedFuture(null);
        }
        return engine.workers().run(() -> engine.producers().find(id)).thenCompose(found -> found.filter(
                        view -> isOpen(view, queue))
                .map(view -> finish(id, BY_ID, TRIES))
                .orElseGet(() -> CompletableFuture.completedFuture(null)));
    }

    private static boolean isOpen(MessageView view, Queue queue) {
        boolean ended = view.status() == MessageStatus.FINISH
                || view.status() == MessageStatus.DELETE
                || view.status() == MessageStatus.EXPIRED;
        return view.message().topic().equals(queue.topic()) && !ended;
    }

    /** No other text is an id, and the engine would refuse it. */
    static boolean isId(String jobId) {
        return !jobId.isEmpty() && jobId.length() <= 64 && jobId.chars().allMatch(each -> each > ' ' && each < 127);
    }

    /** @param receipt of the hold that ends; null = whatever hold there is, which then stays in the index until its end */
    private CompletableFuture<Void> finish(String id, String receipt, int tries) {
        Settlement order = new Settlement(id, receipt, null, null, "");
        return engine.consumers()
                .settle(Verb.ACK, List.of(order))
                .thenCompose(settled -> after(settled, id, receipt, tries));
    }

    private CompletableFuture<Void> after(List<Settled> settled, String id, String receipt, int tries) {
        Optional<DelayException> refusal = settled.get(0).refusal();
        if (refusal.isEmpty()) {
            known.forget(id);
            return CompletableFuture.completedFuture(null);
        }
        return switch (refusal.get().code()) {
            case NOT_FOUND -> CompletableFuture.completedFuture(null);
            case ALREADY_FINISHED -> discard(id);
            // Another consumer may have the job, or the hold has ended: the ack ends the job nevertheless.
            case LEASE_LOST -> receipt == null ? cancel(id, tries) : finish(id, BY_ID, tries);
            default -> CompletableFuture.failedFuture(refusal.get());
        };
    }

    private CompletableFuture<Void> discard(String id) {
        return engine.workers().run(() -> engine.operators().discardOne(id)).thenApply(done -> null);
    }

    private CompletableFuture<Void> cancel(String id, int tries) {
        return engine.workers().run(() -> engine.producers().cancel(id, CALLER)).thenCompose(result -> {
            if (result == CancelResult.ALREADY_FINISHED) {
                return discard(id);
            }
            if (result != CancelResult.ALREADY_DISPATCHED) {
                return CompletableFuture.completedFuture(null);
            }
            return tries > 1
                    ? finish(id, BY_ID, tries - 1)
                    : CompletableFuture.failedFuture(
                            new DelayException(ErrorCode.BUSY, "the job is changing its place now; try again"));
        });
    }
}
