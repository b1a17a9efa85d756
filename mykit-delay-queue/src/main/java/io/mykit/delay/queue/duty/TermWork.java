package io.mykit.delay.queue.duty;

import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.config.QueueConfig;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.dispatch.Dispatching;
import io.mykit.delay.queue.housekeeping.Housekeeping;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.recovery.DeadMeters;
import io.mykit.delay.queue.recovery.Recovery;
import java.util.List;
import java.util.stream.Stream;

/** The work of one term: for the buckets that the leader owns, and for the queue as a whole. */
public final class TermWork implements Service {
    private final LeaderTerm term;
    private final BucketWork buckets;
    private final QueueWork queue;

    public TermWork(
            LeaderTerm term,
            MessageIndex index,
            QueueConfig config,
            Dispatching dispatching,
            Recovery recovery,
            Housekeeping housekeeping,
            DeadMeters dead,
            LastDeliveries last) {
        this.term = term;
        this.buckets = new BucketWork(term, index, config, dispatching, recovery, last);
        this.queue = new QueueWork(term, recovery, housekeeping, dead, buckets.restore());
    }

    @Override
    public void start() {
        buckets.start();
        queue.start();
    }

    /** Ends the term: no new message is taken, and {@link LastDeliveries} waits for those that are being sent. */
    @Override
    public void close() {
        term.revoke();
        Stream.of(buckets, queue).parallel().forEach(Service::close);
    }

    /** See {@link LeaderTerm#giveUp}. */
    void giveUp(String why) {
        term.giveUp(why);
    }

    void wakeScanner(int bucket) {
        buckets.wakeScanner(bucket);
    }

    void offer(int bucket, String topic) {
        buckets.offer(bucket, topic);
    }

    void pauseChanged(String topic) {
        buckets.pauseChanged(topic);
    }

    void channelChanged(String topic) {
        buckets.channelChanged(topic);
    }

    void retry(String topic) {
        buckets.retry(topic);
    }

    void differencesChanged() {
        buckets.differencesChanged();
    }

    List<LoopRunner> loops() {
        return Stream.concat(buckets.loops().stream(), queue.loops().stream()).toList();
    }
}
