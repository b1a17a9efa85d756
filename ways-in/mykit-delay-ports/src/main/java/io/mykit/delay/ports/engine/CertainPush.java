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
        push(push, engine.nowMs() + IN_DOUBT_MS, false, result);
        return result;
    }

    private void push(CheckedPush push, long untilMs, boolean repeats, CompletableFuture<PushResult> result) {
        var unused = engine.producers().push(push, via).whenComplete((done, failure) -> {
            if (failure == null) {
                result.complete(repeats && done.kind() == PushResult.Kind.SAME ? PushResult.ACCEPTED : done);
            } else if (isInDoubt(failure) && engine.nowMs() < untilMs) {
                engine.later().in(PAUSE, () -> push(push, untilMs, true, result));
            } else {
                result.completeExceptionally(failure);
            }
        });
    }

    private static boolean isInDoubt(Throwable failure) {
        Throwable cause = Causes.of(failure);
        return cause instanceof DelayException known && known.code() == ErrorCode.OUTCOME_UNKNOWN;
    }
}
