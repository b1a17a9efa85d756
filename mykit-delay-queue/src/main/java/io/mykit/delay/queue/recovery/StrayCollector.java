package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.queue.bucket.BucketBackoff;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.OwnedBuckets;
import java.time.Duration;

/**
 * Finds messages that the index knows and has in no place, because one of its keys was lost, and puts them back. Counting
 * costs a few lengths, however many messages there are; only if the numbers do not agree is the bucket gone through. One
 * thread.
 *
 * <p>What the index does not know at all is the {@link Auditor}'s.
 */
public final class StrayCollector implements Loop {
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final LeaderTerm term;
    private final OwnedBuckets owned;
    private final BucketBackoff buckets;

    public StrayCollector(MessageIndex index, LeaderTerm term, OwnedBuckets owned) {
        this.term = term;
        this.owned = owned;
        this.buckets = new BucketBackoff("Strays", index);
    }

    @Override
    public Duration runOnce() {
        buckets.each(owned, this::collect);
        return buckets.pause(INTERVAL);
    }

    private void collect(OwnedBucket bucket) {
        if (bucket.strays() == 0) {
            return;
        }
        String cursor = OwnedBucket.FIRST_PAGE;
        do {
            cursor = bucket.collectStrays(cursor);
        } while (!cursor.equals(OwnedBucket.FIRST_PAGE) && term.isActive());
    }
}
