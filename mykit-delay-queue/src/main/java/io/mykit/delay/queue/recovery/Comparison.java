package io.mykit.delay.queue.recovery;

import io.mykit.delay.queue.bucket.BucketBackoff;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.NotOwnedException;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.OwnedBuckets;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.RowState;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares buckets with the store that came back older: Redis was restarted from what it had written to disk, or a replica took
 * over. Nearly all of it is there, so the light part of the rows is read, a page a round and the most urgent first, and only
 * messages that the index does not know are read whole and scheduled. After that it is looked for messages that wait in the index
 * and have ended in the store. {@link #older} may be called from any thread, the rest is the loop's of {@link BucketRestore}.
 *
 * <p>Until the end the dispatcher delivers nothing from these buckets unless the store was asked, and the marker in the index
 * stays: a leader that dies in the middle leaves it to the next one.
 */
final class Comparison {
    private static final Logger LOG = LoggerFactory.getLogger(Comparison.class);

    private final Recovery recovery;
    private final LeaderTerm term;
    private final OwnedBuckets owned;
    private final MissingRows missing;
    /** Whether the index did not take all of the page. */
    private boolean refused;

    private final Set<Integer> reported = ConcurrentHashMap.newKeySet();
    private final Set<Integer> buckets = new TreeSet<>();
    /** Null = nothing is being compared. */
    private ReadAhead<RowState> pages;
    /** Was read and is not yet compared. */
    private List<RowState> page = List.of();

    private long scheduled;
    private Progress progress;
    private volatile boolean goingOn;

    Comparison(Recovery recovery, LeaderTerm term, OwnedBuckets owned) {
        this.recovery = recovery;
        this.term = term;
        this.owned = owned;
        BucketBackoff served = new BucketBackoff("Comparison", recovery.index());
        this.missing = new MissingRows(recovery, RecoveryKind.COMPARE, served, bucket -> refused = true);
    }

    void older(int bucket) {
        reported.add(bucket);
    }

    /** A bucket that was lost is restored, and need not be compared. */
    void lost(int bucket) {
        reported.remove(bucket);
    }

    /** Thread-safe. */
    boolean isGoingOn() {
        return goingOn || !reported.isEmpty();
    }

    /** Does a page; the buckets that were finished by it. */
    Set<Integer> runOnce() {
        if (!reported.isEmpty()) {
            begin();
        }
        if (page.isEmpty()) {
            page = pages.next();
        }
        if (page.isEmpty()) {
            return end();
        }
        refused = false;
        scheduled += missing.schedule(page.stream()
                .filter(row -> buckets.contains(recovery.index().bucketOf(row.id())))
                .toList());
        if (refused) {
            // The page stays, and is tried again after the backoff.
            throw new IndexUnavailableException("the index failed during a comparison", null);
        }
        progress.advance(page.size());
        page = List.of();
        return Set.of();
    }

    /** Also when a walk is under way: it begins anew, with the buckets that were reported meanwhile. */
    private void begin() {
        goingOn = true;
        Set<Integer> more = Set.copyOf(reported);
        buckets.addAll(more);
        reported.removeAll(more);
        LOG.warn(
                "Redis was restarted or failed over: buckets {} may be without what was written last, and are compared with"
                        + " the database, the most urgent messages first",
                buckets);
        int pageSize = recovery.config().pageSize();
        pages = new ReadAhead<>(
                "compare-read",
                DueRows.states(recovery.store(), Recovery.IN_INDEX, RowCursor.START, Long.MAX_VALUE, pageSize)::next);
        page = List.of();
        scheduled = 0;
        progress = recovery.board().begin(RecoveryKind.COMPARE, "Comparing buckets " + buckets, term::isActive);
        recovery.count(Recovery.IN_INDEX, progress);
    }

    private Set<Integer> end() {
        Set<Integer> compared = new TreeSet<>(buckets);
        compared.removeAll(reported);
        try {
            long ended = 0;
            for (int bucket : buckets) {
                ended += purgeEnded(owned.get(bucket));
            }
            compared.forEach(bucket -> owned.get(bucket).markCompared());
            LOG.info(
                    "Buckets {} agree with the database: {} messages scheduled, {} that had ended taken out; {}",
                    compared,
                    scheduled,
                    ended,
                    progress);
        } catch (NotOwnedException e) {
            // Its scanner claims and reports it again.
            LOG.warn("{} during its comparison", e.getMessage());
            compared.clear();
        }
        recovery.board().end(RecoveryKind.COMPARE, progress);
        pages = null;
        buckets.clear();
        goingOn = false;
        return compared;
    }

    /** What is ready or taken meanwhile passes the gate. */
    private long purgeEnded(OwnedBucket bucket) {
        long[] purged = {0};
        bucket.forEachWaiting(ids -> purged[0] += recovery.withdrawals().forgetEnded(ids));
        return purged[0];
    }
}
