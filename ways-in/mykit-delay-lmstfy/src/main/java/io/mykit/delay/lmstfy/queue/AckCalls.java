package io.mykit.delay.lmstfy.queue;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.ports.call.Reply;
import io.mykit.delay.ports.engine.Engine;
import io.mykit.delay.ports.engine.MessageEnd;
import io.mykit.delay.queue.producer.MessageView;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Ends jobs by their ids, wherever they are: a job that a consumer holds or could hold is finished, one that waits is cancelled, a dead
 * letter is discarded. Only a job of the named queue is touched, and the answer is the same whatever was found. Thread-safe; does not block.
 */
final class AckCalls {
    private final Engine engine;
    private final KnownJobs known;
    private final MessageEnd ends;

    AckCalls(Engine engine, KnownJobs known) {
        this.engine = engine;
        this.known = known;
        this.ends = new MessageEnd(engine, "a client of lmstfy's API");
    }

    CompletableFuture<Reply> ack(Queue queue, String jobId) {
        return end(queue, jobId).thenApply(done -> Reply.DONE);
    }

    /** Fails with a {@link DelayException} if a part is away. A job that another node handed out is looked up, with the receipt of its hold. */
    CompletableFuture<Void> end(Queue queue, String jobId) {
        if (!isId(jobId)) {
            return CompletableFuture.completedFuture(null);
        }
        String id = queue.stored(jobId);
        Optional<KnownJobs.Handed> handed = known.find(id);
        if (handed.isPresent()) {
            return handed.get().topic().equals(queue.topic())
                    ? finish(id, Optional.of(handed.get().receipt()))
                    : CompletableFuture.completedFuture(null);
        }
        return engine.workers().run(() -> engine.producers().find(id)).thenCompose(found -> found.filter(
                        view -> isOpen(view, queue))
                .map(view -> finish(id, view.receipt()))
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

    private CompletableFuture<Void> finish(String id, Optional<String> receipt) {
        return ends.end(id, receipt).thenRun(() -> known.forget(id));
    }
}
