package io.mykit.delay.grape.job;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.grape.call.GrapeError;
import io.mykit.delay.grape.call.Parameters;
import io.mykit.delay.grape.tube.Tube;
import io.mykit.delay.grape.tube.Tubes;
import io.mykit.delay.ports.call.Query;
import io.mykit.delay.ports.call.Reply;
import io.mykit.delay.ports.call.Request;
import io.mykit.delay.ports.engine.Engine;
import io.mykit.delay.ports.engine.MessageEnd;
import io.mykit.delay.queue.consumer.PullRules;
import io.mykit.delay.queue.consumer.Settled;
import io.mykit.delay.queue.consumer.Settlement;
import io.mykit.delay.queue.consumer.Verb;
import io.mykit.delay.queue.producer.MessageView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Changes jobs by their ids, and shows the failed ones. A client has no receipt: a call on a held job acts for the consumer that holds it at
 * this moment, whichever that is. Thread-safe; does not block.
 */
public final class JobCalls {
    private static final String CALLER = "a client of Grape's API";
    private static final int MAX_PEEKED = 100;

    private final Engine engine;
    private final Tubes tubes;
    private final MessageEnd ends;

    public JobCalls(Engine engine, Tubes tubes) {
        this.engine = engine;
        this.tubes = tubes;
        this.ends = new MessageEnd(engine, CALLER);
    }

    /** Grape's queues. */
    private enum Place {
        /** The job waits, or is ready. */
        DELAY,
        /** A consumer holds it. */
        RETAIN,
        FAILED
    }

    /** {@code true} if the job was in the delay queue. It is gone in any case. */
    public CompletableFuture<Reply> delete(Request request) {
        return gone(request, Place.DELAY);
    }

    /** {@code true} if a consumer held the job. It is gone in any case. */
    public CompletableFuture<Reply> finish(Request request) {
        return gone(request, Place.RETAIN);
    }

    /** {@code true} if the job had failed; otherwise it stays. */
    public CompletableFuture<Reply> discard(Request request) {
        return failed(request, id -> engine.operators().discardOne(id));
    }

    /** {@code true} if the job had failed; it waits again. */
    public CompletableFuture<Reply> kick(Request request) {
        Duration dtr = dtr(request.query(), ProduceCall.MAX_DTR_MS);
        return failed(request, id -> engine.operators().respawnOne(id, dtr));
    }

    /** {@code true} if a consumer held the job; it waits again. */
    public CompletableFuture<Reply> release(Request request) {
        Duration dtr = dtr(request.query(), PullRules.MAX_DELAY.toMillis());
        return held(request, Verb.RELEASE, dtr.isZero() ? null : dtr);
    }

    /** {@code true} if a consumer held the job; it has failed. */
    public CompletableFuture<Reply> bury(Request request) {
        return held(request, Verb.BURY, null);
    }

    /** The failed jobs, the one that failed first in front. */
    public CompletableFuture<Reply> peek(Request request) {
        int max = Parameters.max(request.query(), MAX_PEEKED);
        return tubes.existing(Parameters.tube(request.query())).thenCompose(tube -> engine.workers()
                .run(() -> Reply.ok("[" + String.join(",", FailedJobs.of(engine, tube, max)) + "]")));
    }

    private static Duration dtr(Query query, long mostMs) {
        return Duration.ofMillis(Parameters.milliseconds(query, "dtr", GrapeError.JOB_DTR, 0, mostMs));
    }

    private CompletableFuture<Reply> gone(Request request, Place asked) {
        return look(request, view -> {
            Place place = place(view);
            if (place == null) {
                return CompletableFuture.completedFuture(false);
            }
            return end(view, place).thenApply(done -> place == asked);
        });
    }

    /** With its receipt, a held job leaves the index at once. */
    private CompletableFuture<Void> end(MessageView view, Place place) {
        String id = view.message().id();
        if (place == Place.DELAY) {
            return engine.workers()
                    .run(() -> engine.producers().cancel(id, CALLER).isCancelled())
                    .thenCompose(
                            done -> done ? CompletableFuture.completedFuture(null) : ends.end(id, Optional.empty()));
        }
        return ends.end(id, view.receipt());
    }

    private CompletableFuture<Reply> failed(Request request, Predicate<String> change) {
        return look(
                request,
                view -> place(view) == Place.FAILED
                        ? engine.workers().run(() -> change.test(view.message().id()))
                        : CompletableFuture.completedFuture(false));
    }

    private CompletableFuture<Reply> held(Request request, Verb verb, Duration delay) {
        return look(request, view -> {
            Optional<String> receipt = view.receipt();
            return receipt.isPresent()
                    ? settle(verb, view.message().id(), receipt.get(), delay)
                    : CompletableFuture.completedFuture(false);
        });
    }

    /** False if the hold has ended meanwhile. */
    private CompletableFuture<Boolean> settle(Verb verb, String id, String receipt, Duration delay) {
        Settlement order = new Settlement(id, receipt, delay, null, "");
        return engine.consumers().settle(verb, List.of(order)).thenCompose(settled -> isDone(settled.get(0)));
    }

    private static CompletableFuture<Boolean> isDone(Settled settled) {
        Optional<DelayException> refusal = settled.refusal();
        if (refusal.isEmpty()) {
            return CompletableFuture.completedFuture(true);
        }
        return switch (refusal.get().code()) {
            case LEASE_LOST, ALREADY_FINISHED, NOT_FOUND -> CompletableFuture.completedFuture(false);
            default -> CompletableFuture.failedFuture(refusal.get());
        };
    }

    /** Checks id and tube in this order, and looks at the job; {@code false} if there is none. */
    private CompletableFuture<Reply> look(Request request, Function<MessageView, CompletableFuture<Boolean>> then) {
        String jid = Parameters.jid(request.query());
        return tubes.existing(Parameters.tube(request.query()))
                .thenCompose(tube -> engine.workers().run(() -> find(tube, jid)))
                .thenCompose(found -> found.map(then).orElseGet(() -> CompletableFuture.completedFuture(false)))
                .thenApply(done -> Reply.ok(Boolean.toString(done)));
    }

    private Optional<MessageView> find(Tube tube, String jid) {
        String id;
        try {
            id = tube.checked(jid);
        } catch (DelayException noId) {
            // No job can have it.
            return Optional.empty();
        }
        Optional<MessageView> found = engine.producers()
                .find(id)
                .filter(view -> view.message().topic().equals(tube.topic()));
        if (found.isPresent() && !found.get().located()) {
            throw new DelayException(ErrorCode.INDEX_UNAVAILABLE, "Redis does not tell who has the job; try again");
        }
        return found;
    }

    /** Null = the job has ended. */
    private static Place place(MessageView view) {
        if (view.status() == MessageStatus.FAILED) {
            return Place.FAILED;
        }
        if (!view.status().isUnfinished()) {
            return null;
        }
        return view.hold() == null ? Place.DELAY : Place.RETAIN;
    }
}
