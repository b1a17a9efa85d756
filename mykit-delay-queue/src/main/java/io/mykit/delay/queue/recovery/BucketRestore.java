package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.NotOwnedException;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.OwnedBuckets;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.StoredMessage;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restores lost buckets from the store, one page a round, in the order of the due times over DELAY and READY together:
 * messages that are due are delivered while the rest is still being read. Any thread may call {@link #lost}; one thread runs
 * the loop.
 *
 * <p>Buckets that came back older are compared in the same loop, after the lost buckets ({@link Comparison}).
 *
 * <p>The marker of the bucket in the index is removed only at the end. If a leader dies during the restore, the marker stays,
 * and the next leader begins again. Memory use does not depend on the number of rows.
 */
public final class BucketRestore implements Loop {
    private static final Logger LOG = LoggerFactory.getLogger(BucketRestore.class);
    private static final Duration IDLE = Duration.ofSeconds(10);
    private static final Duration LATER = Duration.ofSeconds(1);

    private final Recovery recovery;
    private final LeaderTerm term;
    private final OwnedBuckets owned;
    private final Comparison comparison;
    private final Set<Integer> reported = ConcurrentHashMap.newKeySet();
    private final Set<Integer> buckets = new TreeSet<>();
    /** The buckets that the log has told of. An empty database has nothing to tell. */
    private Set<Integer> announced = Set.of();
    /** The claims of the buckets at the begin of the walk. */
    private final Map<Integer, Integer> claims = new HashMap<>();
    /** Buckets that were restored or compared in this term, and not lost after that. */
    private final Set<Integer> whole = ConcurrentHashMap.newKeySet();
    /** Lost buckets that are not served now. They are restored when they are served. */
    private final Set<Integer> later = new TreeSet<>();
    /** The pages of the current walk; null = no bucket is being restored. */
    private ReadAhead<StoredMessage> pages;
    /** The page that was read and is not yet in the index. */
    private List<StoredMessage> page = List.of();
    /**
     * Whether the index failed during the walk. A failover may then have lost messages that the index had taken before.
     */
    private boolean doubtful;

    private long restored;
    private Progress progress;
    private volatile boolean goingOn;

    public BucketRestore(Recovery recovery, LeaderTerm term, OwnedBuckets owned) {
        this.recovery = recovery;
        this.term = term;
        this.owned = owned;
        this.comparison = new Comparison(recovery, term, owned);
    }

    /** Reports a bucket that must be restored. Wake the loop after this call. */
    public void lost(int bucket) {
        whole.remove(bucket);
        comparison.lost(bucket);
        reported.add(bucket);
    }

    /** Reports a bucket that must be compared with the store. Wake the loop after this call. */
    public void older(int bucket) {
        whole.remove(bucket);
        comparison.older(bucket);
    }

    /** Whether buckets are being restored or compared, or will be soon. Then every row is being read. Thread-safe. */
    boolean isGoingOn() {
        return goingOn || !reported.isEmpty() || comparison.isGoingOn();
    }

    /** Whether every bucket was restored or compared in this term. Then every row has been read. Thread-safe. */
    boolean hasRestoredAll() {
        return whole.size() == recovery.index().buckets();
    }

    @Override
    public Duration runOnce() {
        if (!term.isActive()) {
            return IDLE;
        }
        if (pages == null && !later.isEmpty()) {
            Set<Integer> back = new TreeSet<>(later);
            back.removeAll(recovery.index().refusing());
            reported.addAll(back);
        }
        if (!reported.isEmpty()) {
            goingOn = true;
            Set<Integer> more = Set.copyOf(reported);
            buckets.addAll(more);
            later.removeAll(more);
            reported.removeAll(more);
            try {
                walk(false);
            } catch (RuntimeException | Error e) {
                reported.addAll(more);
                throw e;
            }
        }
        if (pages == null) {
            return compare();
        }
        if (page.isEmpty()) {
            page = pages.next();
            announce();
        }
        if (page.isEmpty()) {
            end();
        } else {
            schedule();
        }
        return Duration.ZERO;
    }

    private void announce() {
        if (!page.isEmpty() && !announced.containsAll(buckets)) {
            announced = Set.copyOf(buckets);
            LOG.info(
                    "Buckets {} are new or lost in Redis. Their messages are restored from the database, the most urgent first",
                    buckets);
        }
    }

    private Duration compare() {
        if (!comparison.isGoingOn()) {
            return comparison.drain() && later.isEmpty() ? IDLE : LATER;
        }
        whole.addAll(comparison.runOnce());
        return Duration.ZERO;
    }

    /** Begins a walk. If a walk is under way, it begins again, with the buckets that were lost meanwhile. */
    private void walk(boolean again) {
        int pageSize = recovery.config().pageSize();
        pages = new ReadAhead<>(
                "restore-read", DueRows.messages(recovery.store(), Recovery.IN_INDEX, RowCursor.START, pageSize)::next);
        page = List.of();
        doubtful = false;
        restored = again ? restored : 0;
        buckets.forEach(bucket -> claims.put(bucket, owned.claims(bucket)));
        recovery.board().restoring(buckets.size());
        progress = recovery.board().begin(RecoveryKind.BUCKETS, "Restoring buckets " + buckets, term::isActive);
        recovery.count(Recovery.IN_INDEX, progress);
    }

    private void schedule() {
        List<DelayMessage> ours = page.stream()
                .map(StoredMessage::message)
                .filter(message -> buckets.contains(recovery.index().bucketOf(message.id())))
                .toList();
        List<ScheduleOutcome> outcomes = recovery.scheduleLost(ours);
        long scheduled = outcomes.stream()
                .filter(outcome -> outcome == ScheduleOutcome.SCHEDULED)
                .count();
        if (scheduled > 0) {
            recovery.scheduling().forgetEnded(ours);
        }
        restored += scheduled;
        recovery.board().scheduled(RecoveryKind.BUCKETS, scheduled);
        if (outcomes.contains(ScheduleOutcome.UNAVAILABLE) && !putOff(failed(ours, outcomes))) {
            // The page stays, and is tried again after the backoff. The index ignores messages that it already has.
            doubtful = true;
            throw new IndexUnavailableException("Redis failed during a restore; the page is tried again", null);
        }
        progress.advance(page.size());
        page = List.of();
    }

    private Set<Integer> failed(List<DelayMessage> messages, List<ScheduleOutcome> outcomes) {
        Set<Integer> failed = new TreeSet<>();
        for (int i = 0; i < outcomes.size(); i++) {
            if (outcomes.get(i) == ScheduleOutcome.UNAVAILABLE) {
                failed.add(recovery.index().bucketOf(messages.get(i).id()));
            }
        }
        return failed;
    }

    /**
     * Puts these buckets off if they are not served while other buckets of this walk are; then the others do not wait for
     * them.
     */
    private boolean putOff(Set<Integer> failed) {
        Set<Integer> out = recovery.index().refusing();
        if (failed.isEmpty() || out.containsAll(buckets) || !out.containsAll(failed)) {
            return false;
        }
        buckets.removeAll(failed);
        LOG.warn("Redis does not serve buckets {}. They are restored later, and buckets {} now", failed, buckets);
        later.addAll(failed);
        return true;
    }

    private void end() {
        Set<Integer> out = new TreeSet<>(recovery.index().refusing());
        out.retainAll(buckets);
        putOff(out);
        recovery.board().end(RecoveryKind.BUCKETS, progress);
        if (doubtful) {
            LOG.info("Redis failed during the restore of buckets {}. All rows are read once more", buckets);
            walk(true);
            return;
        }
        for (int bucket : buckets) {
            try {
                owned.restored(bucket, claims.get(bucket));
                whole.add(bucket);
            } catch (NotOwnedException e) {
                // Its scanner reports it again.
                LOG.warn("Bucket {} changed during its restore and is restored again: {}", bucket, e.getMessage());
            }
        }
        if (!announced.isEmpty()) {
            LOG.info(
                    "The restore of buckets {} is done: {} messages are back in Redis; {}",
                    buckets,
                    restored,
                    progress);
            announced = Set.of();
        }
        pages = null;
        buckets.clear();
        goingOn = false;
    }
}
