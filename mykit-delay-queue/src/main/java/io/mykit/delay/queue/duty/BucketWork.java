package io.mykit.delay.queue.duty;

import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.config.QueueConfig;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.PulledTopics;
import io.mykit.delay.queue.dispatch.Dispatcher;
import io.mykit.delay.queue.dispatch.Dispatching;
import io.mykit.delay.queue.dispatch.Flights;
import io.mykit.delay.queue.dispatch.OutcomeWriter;
import io.mykit.delay.queue.dispatch.Pulse;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.Leaving;
import io.mykit.delay.queue.lease.OwnedBuckets;
import io.mykit.delay.queue.recovery.BucketRestore;
import io.mykit.delay.queue.recovery.Recovery;
import io.mykit.delay.queue.recovery.StrayCollector;
import io.mykit.delay.queue.scan.ScanListener;
import io.mykit.delay.queue.scan.ScanLoop;
import io.mykit.delay.queue.scan.ScanSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The work of one term for the buckets that the leader owns: a scan loop for the buckets of a server, the dispatcher, and the loops that
 * repair buckets (restore, strays, leases, outcomes). They share the term's {@link OwnedBuckets}.
 */
final class BucketWork implements Service {
    /** The maximum of buckets in one scan loop: a round of more buckets would be long. */
    private static final int MAX_BUCKETS = 16;

    private final Leaving leaving;
    private final LastDeliveries last;
    private final OutcomeWriter outcomes;
    private final Dispatcher dispatcher;
    private final BucketRestore restore;
    private final LoopRunner restoreLoop;
    private final List<LoopRunner> scanners = new ArrayList<>();
    /** By bucket. */
    private final Map<Integer, Runnable> wakes = new HashMap<>();

    private final List<LoopRunner> repairs;

    BucketWork(
            LeaderTerm term,
            MessageIndex index,
            QueueConfig queue,
            Dispatching dispatching,
            Recovery recovery,
            LastDeliveries last) {
        OwnedBuckets buckets = dispatching.buckets(term);
        this.leaving = buckets.leaving();
        this.last = last;
        this.outcomes = dispatching.outcomeWriter(buckets);
        Flights flights = dispatching.flights();
        Pulse pulse = dispatching.pulse(term);
        this.dispatcher = dispatching.dispatcher(term, buckets, outcomes, flights, pulse);
        this.restore = new BucketRestore(recovery, term, buckets);
        this.restoreLoop = new LoopRunner("restore", restore, LoopPauses.EAGER);
        Findings findings = new Findings();
        for (List<Integer> server : index.serverGroups()) {
            for (int from = 0; from < server.size(); from += MAX_BUCKETS) {
                List<Integer> group = server.subList(from, Math.min(server.size(), from + MAX_BUCKETS));
                add(
                        new ScanLoop(
                                group,
                                index,
                                term,
                                buckets,
                                findings,
                                dispatcher::handover,
                                dispatching::elapsedNanos,
                                ScanSettings.of(queue)),
                        group);
            }
        }
        this.repairs = List.of(
                restoreLoop,
                new LoopRunner("strays", new StrayCollector(index, term, buckets), LoopPauses.PATIENT),
                new LoopRunner("leases", dispatching.leaseReaper(buckets, dispatcher, flights), LoopPauses.PATIENT),
                new LoopRunner("in-flight", dispatching.leaseExtender(buckets, flights), LoopPauses.PATIENT),
                new LoopRunner("pulse", pulse, LoopPauses.EAGER),
                new LoopRunner("outcomes", dispatching.outcomeRecorder(buckets), LoopPauses.PATIENT));
    }

    private void add(ScanLoop scan, List<Integer> group) {
        LoopRunner runner = new LoopRunner("bucket-" + group.get(0), scan, LoopPauses.EAGER);
        scanners.add(runner);
        group.forEach(bucket -> wakes.put(bucket, () -> {
            scan.wake(bucket);
            runner.wake();
        }));
    }

    @Override
    public void start() {
        loops().forEach(LoopRunner::start);
    }

    /** Gives back what is not sent, and hands what is being sent over to {@link LastDeliveries}, within bounds. */
    @Override
    public void close() {
        dispatcher.stop();
        loops().parallelStream().forEach(LoopRunner::close);
        last.take(new LastDeliveries.Remainder() {
            @Override
            public int messages() {
                return leaving.underWay();
            }

            @Override
            public void leave(Duration hold) {
                dispatcher.stop();
                leaving.leave(hold);
            }

            @Override
            public void renew(Duration hold) {
                leaving.renew(hold);
            }

            @Override
            public void close(Duration timeout) {
                dispatcher.close(timeout);
                outcomes.close();
            }
        });
    }

    void offer(int bucket, String topic) {
        dispatcher.offer(bucket, topic);
    }

    void wakeScanner(int bucket) {
        wakes.get(bucket).run();
    }

    void pauseChanged(String topic) {
        dispatcher.pauseChanged(topic);
    }

    void channelChanged(String topic) {
        dispatcher.channelChanged(topic);
    }

    void retry(String topic) {
        dispatcher.retry(topic);
    }

    void differencesChanged() {
        dispatcher.differencesChanged();
    }

    BucketRestore restore() {
        return restore;
    }

    List<LoopRunner> loops() {
        return Stream.concat(scanners.stream(), repairs.stream()).toList();
    }

    /** Passes the findings of the scanners to the dispatcher and to the restore. */
    private final class Findings implements ScanListener {
        @Override
        public void ready(int bucket, String topic) {
            dispatcher.offer(bucket, topic);
        }

        @Override
        public void taken(Map<Integer, List<DelayMessage>> messages, PulledTopics pulled, long sinceNanos) {
            dispatcher.accept(messages, pulled, sinceNanos);
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
