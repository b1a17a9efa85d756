package io.mykit.delay.ports.engine;

import io.mykit.delay.common.error.Causes;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.queue.producer.CheckedPush;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.queue.producer.Via;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Pushes, and looks up a commit in doubt by a repeat of the push for a second: clients of such APIs do not know an answer in doubt.
 * Thread-safe; does not block.
 */
public final class CertainPush {
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final long IN_DOUBT_MS = 1000;
    private static final long NOT_IN_DOUBT = -1;

    private final Engine engine;
    private final Via via;

    public CertainPush(Engine engine, Via via) {
        this.engine = engine;
        this.via = via;
    }

    /**
     * As {@code Producers.push}. A repeat that finds its message tells that it was accepted.
     *
     * @param push a repeat of it must do no harm: it has an id, and a replacement an idempotency key
     */
    public CompletableFuture<PushResult> push(CheckedPush push) {
        CompletableFuture<PushResult> result = new CompletableFuture<>();
        push(push, NOT_IN_DOUBT, result);
        return result;
    }

    /** @param untilMs when the second since the first doubt is over */
    private void push(CheckedPush push, long untilMs, CompletableFuture<PushResult> result) {
        boolean repeats = untilMs != NOT_IN_DOUBT;
        var unused = engine.producers().push(push, via).whenComplete((done, failure) -> {
            if (failure == null) {
                result.complete(repeats && done.kind() == PushResult.Kind.SAME ? accepted(done) : done);
            } else if (isInDoubt(failure) && (!repeats || engine.nowMs() < untilMs)) {
                long ends = repeats ? untilMs : engine.nowMs() + IN_DOUBT_MS;
                engine.later().in(PAUSE, () -> push(push, ends, result));
            } else {
                result.completeExceptionally(failure);
            }
        });
    }

    /** With the status: the message of an earlier push may be the same and have ended. */
    private static PushResult accepted(PushResult same) {
        return new PushResult(PushResult.Kind.ACCEPTED, same.status());
    }

    private static boolean isInDoubt(Throwable failure) {
        Throwable cause = Causes.of(failure);
        return cause instanceof DelayException known && known.code() == ErrorCode.OUTCOME_UNKNOWN;
    }
}
