package io.mykit.delay.queue.recovery;

import io.mykit.delay.queue.bucket.BucketBackoff;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.NotOwnedException;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.OwnedBuckets;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.RowState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares buckets that came back older with the store: Redis was restarted from its disk, or a replica took over. Nearly all
 * messages are still in such a bucket. So the light part of the rows is read, a page a round and the most urgent first, and
 * only messages that the index does not know are read whole and scheduled. After that, messages that wait in the index and
 * have ended in the store are removed. Any thread may call {@link #older}; the loop of {@link BucketRestore} calls the other
 * methods.
 *
 * <p>Until the end, the dispatcher delivers messages of these buckets only if the store was asked, and the marker in the
 * index stays. If a leader dies during the comparison, the next leader finds the marker.
 */
final class Comparison {
    private static final Logger LOG = LoggerFactory.getLogger(Comparison.class);

    private final Recovery recovery;
    private final LeaderTerm term;
    private final OwnedBuckets owned;
    private final MissingRows missing;
    /** The buckets that refused messages of the page. */
    private final Set<Integer> refused = new TreeSet<>();

    private final Set<Integer> reported = ConcurrentHashMap.newKeySet();
    private final Set<Integer> buckets = new TreeSet<>();
    /** The claims of the buckets at the begin of the walk. */
    private final Map<Integer, Integer> claims = new HashMap<>();
    /** Buckets that are not served while others are: they are compared later. */
    private final Set<Integer> later = new TreeSet<>();
    /** Buckets that this walk has finished. */
    private final Set<Integer> compared = new TreeSet<>();
    /** Buckets that were compared and whose ready lists may have messages from before. */
    private final Set<Integer> undrained = new TreeSet<>();
    /** The pages of the current walk; null = no bucket is being compared. */
    private ReadAhead<RowState> pages;
    /** The page that was read and is not yet compared. */
    private List<RowState> page = List.of();

    private long scheduled;
    private long ended;
    private Progress progress;
    private volatile boolean goingOn;

    Comparison(Recovery recovery, LeaderTerm term, OwnedBuckets owned) {
        this.recovery = recovery;
        this.term = term;
        this.owned = owned;
        BucketBackoff served = new BucketBackoff("Comparison", recovery.index());
        this.missing = new MissingRows(recovery, RecoveryKind.COMPARE, served, refused::add);
    }

    void older(int bucket) {
        reported.add(bucket);
    }

    /** A lost bucket is restored and needs no comparison. */
    void lost(int bucket) {
        reported.remove(bucket);
    }

    /** Thread-safe. */
    boolean isGoingOn() {
        return goingOn || !reported.isEmpty();
    }

    /**
     * Ends the comparison of the buckets whose ready lists were empty since. Until then each message of a ready list is looked up
     * before its delivery. Returns whether no such bucket is left, and none that is compared later.
     */
    boolean drain() {
        Set<Integer> back = new TreeSet<>(later);
        back.removeAll(recovery.index().refusing());
        reported.addAll(back);
        undrained.removeIf(bucket -> {
            try {
                return owned.drained(bucket, claims.get(bucket));
            } catch (NotOwnedException e) {
                LOG.debug("Bucket {} changed after its comparison and is handled again", bucket, e);
                return true;
            }
        });
        return undrained.isEmpty() && later.isEmpty();
    }

    /** Compares a page, and returns the buckets that are finished with it. */
    Set<Integer> runOnce() {
        if (!reported.isEmpty()) {
            Set<Integer> more = Set.copyOf(reported);
            try {
                begin(more);
            } catch (RuntimeException | Error e) {
                reported.addAll(more);
                throw e;
            }
        }
        if (page.isEmpty()) {
            page = pages.next();
        }
        if (page.isEmpty()) {
            return end();
        }
        refused.clear();
        scheduled += missing.schedule(page.stream()
                .filter(row -> buckets.contains(recovery.index().bucketOf(row.id())))
                .toList());
        if (!refused.isEmpty() && !putOff(refused)) {
            // The page stays, and is tried again after the backoff.
            throw new IndexUnavailableException("Redis failed during a comparison; the page is tried again", null);
        }
        progress.advance(page.size());
        page = List.of();
        return Set.of();
    }

    /** Begins a walk. If a walk is under way, it begins again, with the buckets that were reported meanwhile. */
    private void begin(Set<Integer> more) {
        goingOn = true;
        buckets.addAll(more);
        later.removeAll(more);
        reported.removeAll(more);
        buckets.forEach(bucket -> claims.put(bucket, owned.claims(bucket)));
        undrained.removeAll(buckets);
        LOG.warn(
                "Redis was restarted or failed over, and buckets {} may have lost the last writes. They are compared with"
                        + " the database, the most urgent messages first",
                buckets);
        int pageSize = recovery.config().pageSize();
        pages = new ReadAhead<>(
                "compare-read",
                DueRows.states(recovery.store(), Recovery.IN_INDEX, RowCursor.START, Long.MAX_VALUE, pageSize)::next);
        page = List.of();
        scheduled = 0;
        ended = 0;
        progress = recovery.board().begin(RecoveryKind.COMPARE, "Comparing buckets " + buckets, term::isActive);
        recovery.count(Recovery.IN_INDEX, progress);
    }

    /**
     * Puts these buckets off if they are not served while other buckets of this walk are, or were: then the others, and the auditor,
     * do not wait for them.
     */
    private boolean putOff(Set<Integer> failed) {
        Set<Integer> out = recovery.index().refusing();
        boolean servesNone = out.containsAll(buckets) && compared.isEmpty();
        if (failed.isEmpty() || servesNone || !out.containsAll(failed)) {
            return false;
        }
        buckets.removeAll(failed);
        later.addAll(failed);
        LOG.warn("Redis does not serve buckets {}. They are compared later, and buckets {} now", failed, buckets);
        return true;
    }

    private Set<Integer> end() {
        buckets.removeAll(reported);
        Set<Integer> out = new TreeSet<>(recovery.index().refusing());
        out.retainAll(buckets);
        putOff(out);
        for (int bucket : List.copyOf(buckets)) {
            if (!term.isActive()) {
                return Set.of();
            }
            try {
                ended += purgeEnded(owned.get(bucket));
                owned.compared(bucket, claims.get(bucket));
                compared.add(bucket);
                undrained.add(bucket);
            } catch (NotOwnedException e) {
                // The scanner of the bucket reports it again.
                LOG.warn("Bucket {} changed during its comparison and is handled again: {}", bucket, e.getMessage());
            }
            // After a failure of the next bucket, this one is not read again.
            buckets.remove(bucket);
        }
        if (!compared.isEmpty()) {
            LOG.info(
                    "Buckets {} agree with the database: {} messages scheduled, {} ended messages removed; {}",
                    compared,
                    scheduled,
                    ended,
                    progress);
        }
        recovery.board().end(RecoveryKind.COMPARE, progress);
        pages = null;
        Set<Integer> finished = Set.copyOf(compared);
        compared.clear();
        goingOn = false;
        return finished;
    }

    /**
     * Removes messages that have ended from the waiting set. The gate checks messages that are ready or were taken
     * meanwhile ({@link #drain}).
     */
    private long purgeEnded(OwnedBucket bucket) {
        long[] purged = {0};
        bucket.forEachWaiting(ids -> purged[0] += recovery.withdrawals().forgetEnded(ids));
        return purged[0];
    }
}
