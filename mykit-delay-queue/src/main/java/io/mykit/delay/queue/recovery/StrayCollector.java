package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.queue.bucket.BucketBackoff;
import io.mykit.delay.queue.bucket.BucketIndex;
import io.mykit.delay.queue.leader.LeaderTerm;
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
    private static final String BEGIN = "0";

    private final BucketIndex index;
    private final LeaderTerm term;
    private final BucketBackoff buckets;

    public StrayCollector(BucketIndex index, LeaderTerm term) {
        this.index = index;
        this.term = term;
        this.buckets = new BucketBackoff("Strays", index);
    }

    @Override
    public Duration runOnce() {
        buckets.each(term, this::collect);
        return buckets.pause(INTERVAL);
    }

    private void collect(int bucket) {
        if (index.strays(bucket) == 0) {
            return;
        }
        String cursor = BEGIN;
        do {
            cursor = index.collectStrays(bucket, term.epoch(), cursor);
        } while (!cursor.equals(BEGIN) && term.isActive());
    }
}
