package io.mykit.delay.controller.operate;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.Workers;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.queue.recovery.Progress;
import io.mykit.delay.queue.recovery.RecoveryBoard;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * One restore or clear at a time; a second one is refused instead of waiting for minutes. It goes on when the client
 * hangs up: half of it would be of no use. Thread-safe.
 */
final class OperatorLane {
    private final RecoveryBoard recovery;
    private final Workers worker = new Workers("http-operator", 1, 1);
    private final AtomicBoolean taken = new AtomicBoolean();

    OperatorLane(RecoveryBoard recovery) {
        this.recovery = recovery;
    }

    /**
     * Runs this on the operator's thread, or only stops what runs there if that is what the call asks for.
     *
     * @throws DelayException ALREADY_RUNNING; the message says how far that has come
     */
    CompletableFuture<Reply> run(Call call, Supplier<Reply> work) {
        if (call.parameters().flag("stop", false)) {
            call.parameters().requireAlone("stop");
            return CompletableFuture.completedFuture(Envelope.success(stop()));
        }
        if (!taken.compareAndSet(false, true)) {
            throw new DelayException(
                    ErrorCode.ALREADY_RUNNING,
                    "a restore or clear is already running on this node"
                            + recovery.ordered()
                                    .map(progress -> ": " + progress)
                                    .orElse("")
                            + "; stop=true stops it");
        }
        try {
            // Freed before the answer goes out: a client that has it may call again at once.
            return worker.run(work).whenComplete((reply, failure) -> taken.set(false));
        } catch (DelayException closing) {
            taken.set(false);
            throw closing;
        }
    }

    private Map<String, Object> stop() {
        Optional<Progress> stopped = recovery.stopOrdered();
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("stopping", stopped.isPresent());
        stopped.ifPresent(progress -> data.putAll(progress.details()));
        return data;
    }

    void close(Duration grace) {
        recovery.stopOrdered();
        worker.close(grace);
    }
}
