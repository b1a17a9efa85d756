package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.queue.bucket.BucketBackoff;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.RowState;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds rows in DELAY or READY that the index does not know, and schedules them. One thread.
 *
 * <p>The first walk of a term checks every row, because an earlier leader or a Redis failover may have left rows out of the
 * index. Later walks check only overdue rows, one page a round. So a long healthy backlog behind a dead broker costs one page
 * of ids a second and no full scan. Beside this page, the auditor checks the rows that became overdue during the walk. If no
 * row is overdue, the auditor waits for some seconds.
 *
 * <p>While buckets are restored, the auditor rests. If all buckets were restored in this term, the first walk is done, so
 * that every row is read once and not twice.
 */
public final class Auditor implements Loop {
    private static final Logger LOG = LoggerFactory.getLogger(Auditor.class);

    /**
     * The wait after a walk without a row, in intervals. A message that the next walk finds is late by this wait, by the
     * grace, and by the crash before.
     */
    private static final int QUIET_INTERVALS = 5;

    private final Recovery recovery;
    private final LeaderTerm term;
    private final BucketRestore restore;
    private final Duration interval;
    private final MissingRows missing;
    /** The current walk; null = between two walks. */
    private DueRows<RowState> walk;
    /** The walk over the rows that became overdue during the current walk; null = all of them are checked. */
    private DueRows<RowState> recent;
    /** The rows that are due before this time belong to {@link #walk} or {@link #recent}; epoch milliseconds. */
    private long doubtedMs;

    private boolean begun;
    private boolean firstWalk = true;
    /** Buckets that were not served during the first walk. When one of them is served, the first walk is repeated. */
    private final Set<Integer> unwalked = new TreeSet<>();
    /** The page that was read and is not yet compared with the index. */
    private List<RowState> page = List.of();

    /** The page of {@link #recent} that is not yet compared with the index. */
    private List<RowState> recentPage = List.of();

    /** Whether the current walk has found a row. */
    private boolean met;

    /** @param restore the restore of the same term */
    public Auditor(Recovery recovery, LeaderTerm term, BucketRestore restore) {
        this.recovery = recovery;
        this.term = term;
        this.restore = restore;
        this.interval = recovery.config().interval();
        this.missing = new MissingRows(
                recovery, RecoveryKind.AUDIT, new BucketBackoff("Auditor", recovery.index()), this::notServed);
    }

    @Override
    public Duration runOnce() {
        if (!begun || !term.isActive() || restore.isGoingOn()) {
            // The first interval is for the scanners, which find out which buckets are lost.
            begun = true;
            return interval;
        }
        if (firstWalk && restore.hasRestoredAll()) {
            firstWalk = false;
            unwalked.clear();
            page = List.of();
            walk = null;
        }
        if (walk == null) {
            walk = begin();
        }
        if (page.isEmpty()) {
            page = walk.next();
        }
        if (page.isEmpty()) {
            return end();
        }
        met = true;
        doubt(page);
        boolean full = isFull(page);
        page = List.of();
        if (firstWalk) {
            return Duration.ZERO;
        }
        if (full) {
            doubtRecent();
        }
        return interval;
    }

    private DueRows<RowState> begin() {
        met = false;
        recent = null;
        recentPage = List.of();
        if (!firstWalk && !unwalked.isEmpty() && !recovery.index().refusing().containsAll(unwalked)) {
            LOG.info("The auditor checks all rows again: Redis did not serve buckets {} at the first check", unwalked);
            unwalked.clear();
            firstWalk = true;
        }
        doubtedMs = firstWalk ? Long.MAX_VALUE : overdueMs();
        return rows(RowCursor.START, doubtedMs);
    }

    /**
     * Checks the rows that became overdue since the walk began. Behind the backlog of a dead broker, they would wait until
     * the walk has passed that backlog.
     */
    private void doubtRecent() {
        if (recent == null) {
            RowCursor from = new RowCursor(doubtedMs, "");
            doubtedMs = overdueMs();
            recent = rows(from, doubtedMs);
        }
        if (recentPage.isEmpty()) {
            recentPage = recent.next();
        }
        doubt(recentPage);
        if (!isFull(recentPage)) {
            recent = null;
        }
        recentPage = List.of();
    }

    private DueRows<RowState> rows(RowCursor after, long dueBeforeMs) {
        return DueRows.states(
                recovery.store(),
                Recovery.IN_INDEX,
                after,
                dueBeforeMs,
                recovery.config().pageSize());
    }

    /**
     * Returns the time before which a row is checked. A row must be overdue for longer than a push takes to schedule it.
     */
    private long overdueMs() {
        return recovery.clock().millis() - recovery.config().grace().toMillis();
    }

    private boolean isFull(List<RowState> page) {
        return page.size() == recovery.config().pageSize();
    }

    private Duration end() {
        Duration pause = met || firstWalk ? interval : interval.multipliedBy(QUIET_INTERVALS);
        walk = null;
        firstWalk = false;
        return pause;
    }

    private void notServed(int bucket) {
        if (firstWalk) {
            unwalked.add(bucket);
        }
    }

    /** Checks a page. Rows of buckets that are not served stay as they are. */
    private void doubt(List<RowState> page) {
        recovery.board().seen(RecoveryKind.AUDIT, page.size());
        long scheduled = missing.schedule(page);
        if (scheduled > 0) {
            LOG.info("Redis did not know {} message(s) of the database. The auditor scheduled them again", scheduled);
        }
    }
}
