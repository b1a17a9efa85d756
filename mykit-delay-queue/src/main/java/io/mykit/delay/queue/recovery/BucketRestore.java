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
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings lost buckets back from the store, one page a round, in the order of the due times over DELAY and READY together:
 * what is due is delivered while the rest is still being read. {@link #lost} may be called from any thread, the loop is
 * run by one.
 *
 * <p>Buckets that came back older are compared in the same loop, after those that are lost ({@link Comparison}).
 *
 * <p>The bucket's marker in the index is taken away only at the end: a leader that dies in the middle leaves it, and the
 * next one begins anew. Memory stays flat, whatever the number of rows.
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
    /** Restored or compared in this term, and not lost since. */
    private final Set<Integer> whole = ConcurrentHashMap.newKeySet();
    /** Lost as well, but not served now: they are restored when they are. */
    private final Set<Integer> later = new TreeSet<>();
    /** Null = nothing is being restored. */
    private ReadAhead<StoredMessage> pages;
    /** Was read and is not yet in the index. */
    private List<StoredMessage> page = List.of();
    /** The index failed during the walk: a failover may have lost what it had been given before. */
    private boolean doubtful;

    private long restored;
    private Progress progress;
    private volatile boolean goingOn;

    BucketRestore(Recovery recovery, LeaderTerm term, OwnedBuckets owned, Comparison comparison) {
        this.recovery = recovery;
        this.term = term;
        this.owned = owned;
        this.comparison = comparison;
    }

    /** This bucket must be restored. Wake the loop after calling it. */
    public void lost(int bucket) {
        whole.remove(bucket);
        comparison.lost(bucket);
        reported.add(bucket);
    }

    /** This bucket must be compared with the store. Wake the loop after calling it. */
    public void older(int bucket) {
        whole.remove(bucket);
        comparison.older(bucket);
    }

    /** Whether buckets are being restored or compared, or are about to be: then every row is being read. Thread-safe. */
    boolean isGoingOn() {
        return goingOn || !reported.isEmpty() || comparison.isGoingOn();
    }

    /** Whether every bucket was restored or compared in this term: then every row has been read. Thread-safe. */
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
            LOG.info("Buckets {} are new or were lost; their messages are restored, the most urgent first", buckets);
            walk(false);
        }
        if (pages == null) {
            return compare();
        }
        if (page.isEmpty()) {
            page = pages.next();
        }
        if (page.isEmpty()) {
            end();
        } else {
            schedule();
        }
        return Duration.ZERO;
    }

    private Duration compare() {
        if (!comparison.isGoingOn()) {
            return later.isEmpty() ? IDLE : LATER;
        }
        whole.addAll(comparison.runOnce());
        return Duration.ZERO;
    }

    /** Also when a walk is under way: it begins anew, with the buckets that were lost meanwhile. */
    private void walk(boolean again) {
        int pageSize = recovery.config().pageSize();
        pages = new ReadAhead<>(
                "restore-read", DueRows.messages(recovery.store(), Recovery.IN_INDEX, RowCursor.START, pageSize)::next);
        page = List.of();
        doubtful = false;
        restored = again ? restored : 0;
        recovery.board().restoring(buckets.size());
        progress = recovery.board().begin(RecoveryKind.BUCKETS, "Restoring buckets " + buckets, term::isActive);
        recovery.count(Recovery.IN_INDEX, progress);
    }

    private void schedule() {
        List<DelayMessage> ours = page.stream()
                .map(StoredMessage::message)
                .filter(message -> buckets.contains(recovery.index().bucketOf(message.id())))
                .toList();
        List<ScheduleOutcome> outcomes = recovery.index().schedule(ours);
        long scheduled = outcomes.stream()
                .filter(outcome -> outcome == ScheduleOutcome.SCHEDULED)
                .count();
        if (scheduled > 0) {
            recovery.scheduling().forgetEnded(ours);
        }
        restored += scheduled;
        recovery.board().scheduled(RecoveryKind.BUCKETS, scheduled);
        if (outcomes.contains(ScheduleOutcome.UNAVAILABLE) && !putOff(failed(ours, outcomes))) {
            // The page stays, and is tried again after the backoff: what is scheduled already is left alone by the
            // index.
            doubtful = true;
            throw new IndexUnavailableException("the index failed during a restore", null);
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

    /** Whether these buckets are out of service while others of this walk are not: then the others do not wait for them. */
    private boolean putOff(Set<Integer> failed) {
        Set<Integer> out = recovery.index().refusing();
        if (failed.isEmpty() || out.containsAll(buckets) || !out.containsAll(failed)) {
            return false;
        }
        buckets.removeAll(failed);
        LOG.warn("Buckets {} are not served: they are restored later, and buckets {} now", failed, buckets);
        later.addAll(failed);
        return true;
    }

    private void end() {
        Set<Integer> out = new TreeSet<>(recovery.index().refusing());
        out.retainAll(buckets);
        putOff(out);
        recovery.board().end(RecoveryKind.BUCKETS, progress);
        if (doubtful) {
            LOG.info("The index failed during the restore of buckets {}: all rows are looked at once more", buckets);
            walk(true);
            return;
        }
        try {
            buckets.forEach(bucket -> owned.get(bucket).markRestored());
            whole.addAll(buckets);
            LOG.info("Buckets {} are whole again: {} messages restored; {}", buckets, restored, progress);
        } catch (NotOwnedException e) {
            // Lost once more meanwhile: its scanner claims and reports it again.
            LOG.warn("{} during its restore", e.getMessage());
        }
        pages = null;
        buckets.clear();
        goingOn = false;
    }
}
