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
 * Runs one restore, clear, respawn or discard at a time. A second one is refused, because it would wait for minutes. A run goes on after its
 * client hangs up, because half a run has no use. Thread-safe.
 */
final class OperatorLane {
    private final RecoveryBoard recovery;
    private final Workers worker = new Workers("http-operator", 1, 1);
    private final AtomicBoolean taken = new AtomicBoolean();

    OperatorLane(RecoveryBoard recovery) {
        this.recovery = recovery;
    }

    /**
     * Runs a task on the operator's thread, or only stops the running one if the call asks for that.
     *
     * @throws DelayException ALREADY_RUNNING; the message gives the progress of the running one
     */
    CompletableFuture<Reply> run(Call call, Supplier<Reply> work) {
        if (call.parameters().flag("stop", false)) {
            return stop(call);
        }
        if (!taken.compareAndSet(false, true)) {
            throw new DelayException(
                    ErrorCode.ALREADY_RUNNING,
                    "a restore, clear, respawn or discard is already running on this node"
                            + recovery.ordered()
                                    .map(progress -> ": " + progress)
                                    .orElse("")
                            + "; stop=true stops it");
        }
        try {
            // The lane is free before the answer is sent, so the client may call again at once.
            return worker.run(work).whenComplete((reply, failure) -> taken.set(false));
        } catch (DelayException closing) {
            taken.set(false);
            throw closing;
        }
    }

    /** Stops the running task and answers at once how far it has come. */
    CompletableFuture<Reply> stop(Call call) {
        call.parameters().requireAlone("stop");
        return CompletableFuture.completedFuture(Envelope.success(stop()));
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
