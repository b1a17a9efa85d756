package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.queue.bucket.BucketIndex;
import io.mykit.delay.queue.bucket.BucketLostException;
import io.mykit.delay.queue.bucket.FencedException;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.TermLeases;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Gives back what was taken and never settled, and offers every list that is not empty once more. One thread. */
final class LeaseReaper implements Loop {
    private static final int PAGE = 1000;

    private final BucketIndex index;
    private final LeaderTerm term;
    private final TermLeases leases;
    private final Dispatcher dispatcher;
    private final Duration interval;
    private boolean begun;

    LeaseReaper(BucketIndex index, LeaderTerm term, TermLeases leases, Dispatcher dispatcher, Duration lease) {
        this.index = index;
        this.term = term;
        this.leases = leases;
        this.dispatcher = dispatcher;
        this.interval = lease.dividedBy(4);
    }

    @Override
    public Duration runOnce() {
        if (!begun) {
            // The scanners are giving back what an earlier leader had taken. What is taken again before they are
            // through with its bucket would be given back once more, and delivered twice.
            begun = true;
            return interval;
        }
        for (int bucket = 0; bucket < index.buckets() && term.isActive(); bucket++) {
            reap(bucket);
        }
        return interval;
    }

    private void reap(int bucket) {
        try {
            Map<String, List<String>> overdue = index.leased(bucket, index.timeMs(), PAGE);
            overdue.forEach(
                    (topic, ids) -> leases.change(bucket, () -> index.release(bucket, topic, term.epoch(), ids)));
            index.ready(bucket).keySet().forEach(topic -> dispatcher.offer(bucket, topic));
        } catch (FencedException e) {
            term.fenced();
        } catch (BucketLostException e) {
            // Its scanner notices too, claims it and has it restored; there is nothing left to give back.
            return;
        }
    }
}
