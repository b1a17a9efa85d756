package io.mykit.delay.controller.operate;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.queue.operator.Operators;
import io.mykit.delay.queue.operator.RunningWork;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * Runs one restore, clear, respawn or discard at a time. A second one is refused, because it would wait for minutes. A run goes on after its
 * client hangs up, because half a run has no use. Thread-safe.
 */
final class OperatorLane {
    /** A task that was begun needs about so long until its work is on the board. */
    private static final Duration TO_THE_BOARD = Duration.ofMillis(20);

    private final Operators operators;
    private final LongFunction<String> workId;
    private final Workers worker;

    /** @param workId the id of work of this node by its number */
    OperatorLane(Operators operators, LongFunction<String> workId) {
        this(operators, workId, new Workers("http-operator", 1, 1));
    }

    private OperatorLane(Operators operators, LongFunction<String> workId, Workers worker) {
        this.operators = operators;
        this.workId = workId;
        this.worker = worker;
    }

    /** The same over another face, with the same thread. */
    OperatorLane over(Operators other) {
        return new OperatorLane(other, workId, worker);
    }

    /**
     * Runs a task on the operator's thread. Answers its end, or the id of the work that goes on.
     *
     * @param longest how long the answer waits for the end
     * @throws DelayException ALREADY_RUNNING; the message gives the progress of the running one
     */
    CompletableFuture<Reply> run(Duration longest, Supplier<Reply> task) {
        Runnable turn = operators.turn();
        CompletableFuture<Reply> work = begin(turn, task);
        CompletableFuture<Reply> answer = free(turn, work).copy();
        answerLater(longest, work, answer);
        return answer;
    }

    private void answerLater(Duration pause, CompletableFuture<Reply> work, CompletableFuture<Reply> answer) {
        CompletableFuture<Void> timer =
                new CompletableFuture<Void>().completeOnTimeout(null, pause.toMillis(), TimeUnit.MILLISECONDS);
        CompletableFuture<?> unused = timer.thenRun(() -> {
            Optional<RunningWork> running =
                    operators.running().stream().filter(RunningWork::stoppable).findFirst();
            // The turn is taken until the end. So if the end has not come, the work on the board is that of this call.
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
        Runnable turn = operators.turn();
        return free(turn, begin(turn, work));
    }

    private CompletableFuture<Reply> begin(Runnable turn, Supplier<Reply> work) {
        try {
            return worker.run(work);
        } catch (DelayException closing) {
            turn.run();
            throw closing;
        }
    }

    /** The turn is free before the answer is sent, so the client may call again at once. */
    private static CompletableFuture<Reply> free(Runnable turn, CompletableFuture<Reply> work) {
        return work.whenComplete((reply, failure) -> turn.run());
    }

    /** Stops the running task and answers at once how far it has come. */
    CompletableFuture<Reply> stop(Call call) {
        call.parameters().requireAlone("stop");
        return CompletableFuture.completedFuture(Envelope.success(stop()));
    }

    private Map<String, Object> stop() {
        Optional<RunningWork> stopped = operators.stopOrdered();
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("stopping", stopped.isPresent());
        stopped.ifPresent(walk -> data.putAll(walk.details()));
        return data;
    }

    void close(Duration grace) {
        operators.stopOrdered();
        worker.close(grace);
    }
}
