package io.mykit.delay.queue.duty;

import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.queue.housekeeping.Housekeeping;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.recovery.BucketRestore;
import io.mykit.delay.queue.recovery.Recovery;
import java.util.List;
import java.util.stream.Stream;

/** The loops of one term that go through the rows of the queue, independent of buckets. */
final class QueueWork implements Service {
    private final List<LoopRunner> loops;

    /** @param restore the restore of the buckets; while it reads all rows, the auditor rests */
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
