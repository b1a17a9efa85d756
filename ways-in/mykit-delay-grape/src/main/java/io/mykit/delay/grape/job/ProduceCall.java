package io.mykit.delay.grape.job;

import io.mykit.delay.access.Principal;
import io.mykit.delay.common.error.Causes;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.grape.call.GrapeError;
import io.mykit.delay.grape.call.Parameters;
import io.mykit.delay.grape.call.Refusal;
import io.mykit.delay.grape.tube.Tube;
import io.mykit.delay.grape.tube.Tubes;
import io.mykit.delay.ports.call.Query;
import io.mykit.delay.ports.call.Reply;
import io.mykit.delay.ports.call.Request;
import io.mykit.delay.ports.engine.CertainPush;
import io.mykit.delay.ports.engine.Engine;
import io.mykit.delay.ports.engine.Rates;
import io.mykit.delay.queue.producer.CheckedPush;
import io.mykit.delay.queue.producer.MessageView;
import io.mykit.delay.queue.producer.NewPush;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.queue.producer.Via;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Produces jobs. The id of a job that has not ended answers {@code false} and changes nothing. A job that has ended, or failed, begins anew
 * with the new content. Thread-safe; does not block.
 */
public final class ProduceCall {
    /** The maximum of bytes in a job. */
    public static final int MAX_DATA = 1 << 20;

    private static final long DAY_MS = 86_400_000;
    /** A hundred years. */
    static final long MAX_DTR_MS = 36_500 * DAY_MS;

    private static final Set<ErrorCode> TAKEN =
            EnumSet.of(ErrorCode.ID_CONFLICT, ErrorCode.ALREADY_FINISHED, ErrorCode.ALREADY_DISPATCHED);

    private final Engine engine;
    private final Tubes tubes;
    private final Rates rates;
    private final CertainPush pushes;

    public ProduceCall(Engine engine, Tubes tubes, Rates rates) {
        this.engine = engine;
        this.tubes = tubes;
        this.rates = rates;
        this.pushes = new CertainPush(engine, Via.GRAPE);
    }

    public CompletableFuture<Reply> produce(Request request, Principal caller) {
        Query query = request.query();
        long dtr = Parameters.milliseconds(query, "dtr", GrapeError.JOB_DTR, 0, MAX_DTR_MS);
        long ttr = Parameters.milliseconds(query, "ttr", GrapeError.JOB_TTR, NewPush.MIN_TTR_MS, NewPush.MAX_TTR_MS);
        String jid = Parameters.jid(query);
        return tubes.existing(Parameters.tube(query)).thenCompose(tube -> {
            if (request.tooLarge()) {
                throw Refusal.tooLarge("job data is larger than " + MAX_DATA + " bytes");
            }
            Job job = new Job(caller, tube, id(tube, jid), dtr, ttr, request.body());
            return place(job).thenCompose(free -> push(job)).thenApply(done -> Reply.ok(Boolean.toString(done)));
        });
    }

    private static String id(Tube tube, String jid) {
        try {
            return tube.checked(jid);
        } catch (DelayException refused) {
            throw Refusal.of(GrapeError.JOB_ID, "job " + refused.getMessage() + " (with its tube)");
        }
    }

    /** Fails if the namespace has no place for the topic. */
    private CompletableFuture<Void> place(Job job) {
        return rates.bounds(job.caller())
                .topic(job.tube().place())
                .thenCompose(objection -> objection.isPresent()
                        ? CompletableFuture.<Void>failedFuture(objection.get())
                        : CompletableFuture.<Void>completedFuture(null));
    }

    private CompletableFuture<Boolean> push(Job job) {
        return pushes.push(checked(job, false))
                .thenCompose(result -> hasEnded(result) ? again(job) : CompletableFuture.completedFuture(isNew(result)))
                .exceptionallyCompose(
                        failure -> isTaken(failure) ? lookedAt(job) : CompletableFuture.failedFuture(failure));
    }

    private static boolean hasEnded(PushResult result) {
        return result.status() != null && !result.status().isUnfinished();
    }

    private CompletableFuture<Boolean> lookedAt(Job job) {
        return engine.workers()
                .run(() -> engine.producers().find(job.id()))
                .thenCompose(found -> isFree(found, job) ? again(job) : CompletableFuture.completedFuture(false));
    }

    /** Housekeeping may have removed the row meanwhile. */
    private static boolean isFree(Optional<MessageView> found, Job job) {
        found.filter(view -> !view.message().topic().equals(job.tube().topic())).ifPresent(view -> {
            throw Refusal.of(GrapeError.JOB_ID, "job id is that of a message of another topic");
        });
        return found.map(MessageView::status)
                .filter(MessageStatus::isUnfinished)
                .isEmpty();
    }

    /** {@code false} if another producer was faster. */
    private CompletableFuture<Boolean> again(Job job) {
        return pushes.push(checked(job, true))
                .thenApply(ProduceCall::isNew)
                .exceptionallyCompose(failure -> isTaken(failure)
                        ? CompletableFuture.completedFuture(false)
                        : CompletableFuture.failedFuture(failure));
    }

    private CheckedPush checked(Job job, boolean replace) {
        NewPush push = new NewPush()
                .topic(job.tube().topic())
                .id(job.id())
                .body(job.data())
                .delay(job.dtr())
                .ttr(job.ttr())
                .replace(replace);
        if (replace) {
            push.idempotencyKey(UUID.randomUUID().toString());
        }
        CheckedPush checked = engine.producers().rules().check(push, message -> message);
        rates.bounds(job.caller()).objection(checked.message()).ifPresent(objection -> {
            throw objection;
        });
        return checked;
    }

    private static boolean isNew(PushResult result) {
        return result.kind() != PushResult.Kind.SAME;
    }

    private static boolean isTaken(Throwable failure) {
        Throwable cause = Causes.of(failure);
        return cause instanceof DelayException known && TAKEN.contains(known.code());
    }

    /** A job that is produced. Times in milliseconds. */
    @SuppressWarnings(
            "ArrayRecordComponent") // The bytes go to the engine as they came; no code changes or compares them.
    private record Job(Principal caller, Tube tube, String id, long dtr, long ttr, byte[] data) {
        @Override
        public String toString() {
            return id;
        }
    }
}
