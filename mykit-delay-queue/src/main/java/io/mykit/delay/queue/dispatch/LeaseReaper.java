package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.queue.bucket.BucketBackoff;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.lease.OwnedBuckets;
import java.time.Duration;

/** Gives back messages whose lease has ended, and offers every ready list that is not empty once more. One thread. */
final class LeaseReaper implements Loop {
    private static final int PAGE = 1000;

    private final MessageIndex index;
    private final OwnedBuckets owned;
    private final Dispatcher dispatcher;
    private final Duration interval;
    private final BucketBackoff buckets;
    private boolean begun;

    LeaseReaper(MessageIndex index, OwnedBuckets owned, Dispatcher dispatcher, Duration lease) {
        this.index = index;
        this.owned = owned;
        this.dispatcher = dispatcher;
        this.interval = lease.dividedBy(4);
        this.buckets = new BucketBackoff("Leases", index);
    }

    @Override
    public Duration runOnce() {
        if (!begun) {
            // At the beginning of a term, the scanners give back the messages that an earlier leader had taken. A
            // message that is taken again before its scanner has finished the bucket would be given back once more,
            // and delivered twice.
            begun = true;
            return interval;
        }
        buckets.each(owned, this::reap);
        return buckets.pause(interval);
    }

    private void reap(OwnedBucket bucket) {
        bucket.leased(index.timeMs(), PAGE).forEach(bucket::release);
        bucket.ready().keySet().forEach(topic -> dispatcher.offer(bucket.bucket(), topic));
    }
}
