package io.mykit.delay.queue.duty;

import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.config.QueueConfig;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.dispatch.Dispatcher;
import io.mykit.delay.queue.dispatch.Dispatching;
import io.mykit.delay.queue.dispatch.OutcomeWriter;
import io.mykit.delay.queue.housekeeping.Housekeeping;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.OwnedBuckets;
import io.mykit.delay.queue.recovery.BucketRestore;
import io.mykit.delay.queue.recovery.Recovery;
import io.mykit.delay.queue.recovery.StrayCollector;
import io.mykit.delay.queue.scan.BucketScanner;
import io.mykit.delay.queue.scan.ScanListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The loops of one term. */
public final class TermWork implements Service {
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10));
    /** Whoever finds out what Redis lost, and brings it back, is there within a second of its return. */
    private static final Backoff EAGER = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(1));

    private final LeaderTerm term;
    private final OutcomeWriter outcomes;
    private final Dispatcher dispatcher;
    private final BucketRestore restore;
    private final LoopRunner restoreLoop;
    private final List<LoopRunner> scanners = new ArrayList<>();
    private final List<LoopRunner> repairs = new ArrayList<>();

    public TermWork(
            LeaderTerm term,
            MessageIndex index,
            QueueConfig queue,
            Dispatching dispatching,
            Recovery recovery,
            Housekeeping housekeeping) {
        this.term = term;
        OwnedBuckets buckets = new OwnedBuckets(index, term);
        this.outcomes = dispatching.outcomeWriter(buckets);
        this.dispatcher = dispatching.dispatcher(term, buckets, outcomes);
        this.restore = recovery.bucketRestore(term, buckets);
        this.restoreLoop = new LoopRunner("restore", restore, EAGER);
        for (int bucket = 0; bucket < index.buckets(); bucket++) {
            BucketScanner scanner = new BucketScanner(
                    bucket,
                    index,
                    term,
                    buckets,
                    new Ears(),
                    dispatcher.handover(),
                    queue.scanBatch(),
                    queue.idlePoll());
            scanners.add(new LoopRunner("bucket-" + bucket, scanner, EAGER));
        }
        repairs.add(restoreLoop);
        repairs.add(runner("loader", recovery.loader(term)));
        repairs.add(runner("auditor", recovery.auditor(term, restore)));
        repairs.add(runner("strays", new StrayCollector(index, term, buckets)));
        repairs.add(runner("leases", dispatching.leaseReaper(buckets, dispatcher)));
        repairs.add(runner("outcomes", dispatching.outcomeRecorder(buckets)));
        housekeeping.loop(term).ifPresent(loop -> repairs.add(runner("housekeeping", loop)));
    }

    @Override
    public void start() {
        scanners.forEach(LoopRunner::start);
        repairs.forEach(LoopRunner::start);
    }

    /** Nothing new is taken; what is in flight is finished and settled, within bounds. */
    @Override
    public void close() {
        term.revoke();
        dispatcher.close();
        outcomes.close();
        Stream.concat(scanners.stream(), repairs.stream()).parallel().forEach(LoopRunner::close);
    }

    void wakeScanner(int bucket) {
        scanners.get(bucket).wake();
    }

    List<LoopRunner> loops() {
        List<LoopRunner> all = new ArrayList<>(scanners);
        all.addAll(repairs);
        return all;
    }

    private static LoopRunner runner(String name, Loop loop) {
        return new LoopRunner(name, loop, BACKOFF);
    }

    /** What the scanners find, passed on. */
    private final class Ears implements ScanListener {
        @Override
        public void ready(int bucket, String topic) {
            dispatcher.offer(bucket, topic);
        }

        @Override
        public void taken(int bucket, List<DelayMessage> messages, long sinceNanos) {
            dispatcher.accept(bucket, messages, sinceNanos);
        }

        @Override
        public void lost(int bucket) {
            restore.lost(bucket);
            restoreLoop.wake();
        }

        @Override
        public void older(int bucket) {
            restore.older(bucket);
            restoreLoop.wake();
        }
    }
}
