package io.mykit.delay.queue.pull;

import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.queue.commit.GroupCommit;
import io.mykit.delay.queue.commit.GroupLimits;
import io.mykit.delay.queue.consumer.Settled;
import io.mykit.delay.queue.consumer.Settlement;
import io.mykit.delay.queue.consumer.Verb;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Settles what consumers hold, many messages together. Thread-safe; no call blocks. */
final class Settling implements Service {
    private static final GroupLimits LIMITS = GroupLimits.plain(20_000, 500);
    private static final String FULL = "too many messages wait to be settled; try again later";

    private final GroupCommit<SettleCall> rows;
    private final GroupCommit<SettleCall> holds;

    Settling(RowLane rows, HoldLane holds, PullMeters meters) {
        this.rows = new GroupCommit<>("settle", LIMITS, SettleCall::id, FULL, rows, meters.batches());
        this.holds = new GroupCommit<>("holds", LIMITS, SettleCall::id, FULL, holds, meters.batches());
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
        return Stream.of(rows, holds)
                .map(GroupCommit::loops)
                .flatMap(List::stream)
                .toList();
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
