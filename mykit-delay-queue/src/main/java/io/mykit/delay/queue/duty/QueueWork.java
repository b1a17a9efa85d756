package io.mykit.delay.queue.duty;

import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.queue.housekeeping.Housekeeper;
import io.mykit.delay.queue.housekeeping.Housekeeping;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.recovery.Auditor;
import io.mykit.delay.queue.recovery.BucketRestore;
import io.mykit.delay.queue.recovery.DeadCount;
import io.mykit.delay.queue.recovery.DeadMeters;
import io.mykit.delay.queue.recovery.Loader;
import io.mykit.delay.queue.recovery.Recovery;
import java.util.List;
import java.util.stream.Stream;

/** The loops of one term that go through the rows of the queue, independent of buckets. */
final class QueueWork implements Service {
    private final List<LoopRunner> loops;

    /** @param restore the restore of the buckets; while it reads all rows, the auditor rests */
    QueueWork(LeaderTerm term, Recovery recovery, Housekeeping housekeeping, DeadMeters dead, BucketRestore restore) {
        this.loops = Stream.concat(
                        Stream.of(
                                new LoopRunner("loader", new Loader(recovery, term), LoopPauses.EAGER),
                                new LoopRunner("auditor", new Auditor(recovery, term, restore), LoopPauses.PATIENT),
                                new LoopRunner(
                                        "dead-count", new DeadCount(recovery.store(), term, dead), LoopPauses.PATIENT)),
                        housekeeping.retention().enabled()
                                ? Stream.of(new LoopRunner(
                                        "housekeeping", new Housekeeper(housekeeping, term), LoopPauses.PATIENT))
                                : Stream.empty())
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
