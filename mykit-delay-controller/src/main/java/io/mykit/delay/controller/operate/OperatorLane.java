package io.mykit.delay.controller.operate;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.Workers;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.queue.recovery.Progress;
import io.mykit.delay.queue.recovery.RecoveryBoard;
import io.mykit.delay.queue.recovery.RunningWork;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * Runs one restore, clear, respawn or discard at a time. A second one is refused, because it would wait for minutes. A run goes on after its
 * client hangs up, because half a run has no use. Thread-safe.
 */
final class OperatorLane {
    /** A task that was begun needs about so long until its work is on the board. */
    private static final Duration TO_THE_BOARD = Duration.ofMillis(20);

    private final RecoveryBoard recovery;
    private final LongFunction<String> workId;
    private final Workers worker = new Workers("http-operator", 1, 1);
    private final AtomicBoolean taken = new AtomicBoolean();

    /** @param workId the id of work of this node by its number on the board */
    OperatorLane(RecoveryBoard recovery, LongFunction<String> workId) {
        this.recovery = recovery;
        this.workId = workId;
    }

    /**
     * Runs a task on the operator's thread. Answers its end, or the id of the work that goes on.
     *
     * @param longest how long the answer waits for the end
     * @throws DelayException ALREADY_RUNNING; the message gives the progress of the running one
     */
    CompletableFuture<Reply> run(Duration longest, Supplier<Reply> task) {
        CompletableFuture<Reply> work = begin(task);
        CompletableFuture<Reply> answer = free(work).copy();
        answerLater(longest, work, answer);
        return answer;
    }

    private void answerLater(Duration pause, CompletableFuture<Reply> work, CompletableFuture<Reply> answer) {
        CompletableFuture<Void> timer =
                new CompletableFuture<Void>().completeOnTimeout(null, pause.toMillis(), TimeUnit.MILLISECONDS);
        CompletableFuture<?> unused = timer.thenRun(() -> {
            Optional<RunningWork> running =
                    recovery.running().stream().filter(RunningWork::stoppable).findFirst();
            // The lane is taken until the end. So if the end has not come, the work on the board is that of this call.
            if (running.isPresent() && !work.isDone()) {
                answer.complete(underWay(workId.apply(running.get().number())));
            } else if (!work.isDone()) {
                answerLater(TO_THE_BOARD, work, answer);
            }
        });
        unused = answer.whenComplete((reply, failure) -> timer.cancel(false));
    }

    private static Reply underWay(String id) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("id", id);
        data.put("running", true);
        return Envelope.underWay(data);
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
        return free(begin(work));
    }

    private CompletableFuture<Reply> begin(Supplier<Reply> work) {
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
            return worker.run(work);
        } catch (DelayException closing) {
            taken.set(false);
            throw closing;
        }
    }

    /** The lane is free before the answer is sent, so the client may call again at once. */
    private CompletableFuture<Reply> free(CompletableFuture<Reply> work) {
        return work.whenComplete((reply, failure) -> taken.set(false));
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
