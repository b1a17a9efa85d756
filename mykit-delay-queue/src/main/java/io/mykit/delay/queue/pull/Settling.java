package io.mykit.delay.queue.pull;

import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.queue.commit.GroupCommit;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Settles what consumers hold, many messages together. Thread-safe; no call blocks. */
final class Settling implements Service {
    private static final int QUEUE = 20_000;
    private static final int BATCH = 500;
    private static final String FULL = "too many messages wait to be settled; try again later";

    private final GroupCommit<SettleCall> rows;
    private final GroupCommit<SettleCall> holds;

    Settling(RowLane rows, HoldLane holds, PullMeters meters) {
        this.rows = new GroupCommit<>("settle", QUEUE, BATCH, FULL, rows, meters.batches());
        this.holds = new GroupCommit<>("holds", QUEUE, BATCH, FULL, holds, meters.batches());
    }

    CompletableFuture<List<Settled>> settle(Verb verb, List<Settlement> items) {
        List<SettleCall> calls =
                items.stream().map(item -> new SettleCall(verb, item)).toList();
        calls.forEach(call -> group(call).submit(call));
        CompletableFuture<?>[] all = calls.stream().map(SettleCall::future).toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(all)
                .thenApply(
                        done -> calls.stream().map(call -> call.future().join()).toList());
    }

    private GroupCommit<SettleCall> group(SettleCall call) {
        boolean inIndexAlone = call.verb() == Verb.EXTEND
                || (call.verb() == Verb.RELEASE
                        && (call.asked().delay() == null || call.asked().delay().isZero()));
        return inIndexAlone ? holds : rows;
    }

    /** The loops. The health report checks that they are running. */
    List<LoopRunner> loops() {
        return List.of(rows.loop(), holds.loop());
    }

    @Override
    public void start() {
        rows.start();
        holds.start();
    }

    /** Settles what was accepted before, and refuses later calls. */
    @Override
    public void close() {
        rows.close();
        holds.close();
    }
}
