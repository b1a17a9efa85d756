package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.queue.bucket.BucketBackoff;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.StrayCount;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.OwnedBuckets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Finds orphaned messages, which are in the pool of a bucket and wait nowhere because a Redis key was lost, and schedules
 * them again. Counting them reads a few lengths of each topic, however many messages there are; with very many topics it is done more
 * seldom. The whole bucket is read only if the count differs from the count after the last time: entries without a message lower it, and
 * would hide orphans. Ghosts, the entries that cancelled and cleared messages leave in ready lists, do not change it; they are dropped here
 * if nobody takes from the list. One thread.
 *
 * <p>The {@link Auditor} handles messages that the index does not know at all.
 */
public final class StrayCollector implements Loop {
    private static final Duration INTERVAL = Duration.ofSeconds(10);
    /** The longest pause. */
    private static final Duration LONGEST = Duration.ofMinutes(2);
    /** Redis does nothing else while it reads a length, for about a microsecond. It may count for one part in five hundred of the time. */
    private static final Duration OF_A_LIST = Duration.ofNanos(1_000).multipliedBy(500);
    /** In one run. */
    private static final int MAX_TRIMS = 100;

    private final LeaderTerm term;
    private final OwnedBuckets owned;
    private final BucketBackoff buckets;
    /** By bucket: the count after the bucket was read the last time. */
    private final Map<Integer, Long> counts = new HashMap<>();
    /** The lengths that this run has read. */
    private long lists;

    public StrayCollector(MessageIndex index, LeaderTerm term, OwnedBuckets owned) {
        this.term = term;
        this.owned = owned;
        this.buckets = new BucketBackoff("Strays", index);
    }

    @Override
    public Duration runOnce() {
        lists = 0;
        buckets.each(owned, this::collect);
        return buckets.pause(rest(lists));
    }

    /** The pause after a run that has read so many lengths. The time that it took would say more of a busy machine than of Redis. */
    static Duration rest(long lists) {
        return max(INTERVAL, min(OF_A_LIST.multipliedBy(lists), LONGEST));
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private static Duration max(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    private void collect(OwnedBucket bucket) {
        StrayCount count = bucket.strays();
        lists += count.lists();
        if (count.leasesLost()) {
            owned.suspect(bucket.bucket());
        }
        boolean more = count.ghosts() > 0;
        for (int call = 0; more && call < MAX_TRIMS; call++) {
            more = bucket.trimReady();
        }
        // The messages of a bucket that came back older keep their places: where they were tells which of them are
        // doubtful.
        boolean isSame = count.orphans() == counts.getOrDefault(bucket.bucket(), 0L);
        if (isSame || owned.isOlder(bucket.bucket())) {
            return;
        }
        String cursor = OwnedBucket.FIRST_PAGE;
        do {
            cursor = bucket.collectStrays(cursor);
        } while (!cursor.equals(OwnedBucket.FIRST_PAGE) && term.isActive());
        // What is orphaned now became so during the pass.
        counts.put(bucket.bucket(), Math.min(0, bucket.strays().orphans()));
    }
}
