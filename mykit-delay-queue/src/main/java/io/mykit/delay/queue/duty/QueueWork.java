package io.mykit.delay.queue.duty;

import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.queue.housekeeping.Housekeeping;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.recovery.BucketRestore;
import io.mykit.delay.queue.recovery.Recovery;
import java.util.List;
import java.util.stream.Stream;

/** The loops of one term that go over the rows of the queue, whichever bucket their messages are in. */
final class QueueWork implements Service {
    private final List<LoopRunner> loops;

    /** @param restore of the buckets: while it reads all rows, the auditor need not */
    QueueWork(LeaderTerm term, Recovery recovery, Housekeeping housekeeping, BucketRestore restore) {
        this.loops = Stream.concat(
                        Stream.of(
                                new LoopRunner("loader", recovery.loader(term), LoopPauses.PATIENT),
                                new LoopRunner("auditor", recovery.auditor(term, restore), LoopPauses.PATIENT)),
                        housekeeping
                                .loop(term)
                                .map(loop -> new LoopRunner("housekeeping", loop, LoopPauses.PATIENT))
                                .stream())
                .toList();
    }

    @Override
    public void start() {
        loops.forEach(LoopRunner::start);
    }

    @Override
    public void close() {
        loops.parallelStream().forEach(LoopRunner::close);
    }

    List<LoopRunner> loops() {
        return loops;
    }
}
