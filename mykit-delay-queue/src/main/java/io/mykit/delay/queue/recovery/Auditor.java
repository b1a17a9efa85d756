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
 * <p>The first walk of a term looks at every row, because nobody knows what the leader before, or a Redis failover, left
 * undone. After that only rows that are overdue are looked at, one page a round: a long healthy backlog behind a dead
 * broker costs one page of ids a second, not a scan, and beside it there is a look at what has become overdue since. Where
 * none is overdue, nobody looks for some seconds.
 *
 * <p>While buckets are restored it rests, and where all of them were restored in this term the first walk is done: every
 * row is read once and not twice.
 */
public final class Auditor implements Loop {
    private static final Logger LOG = LoggerFactory.getLogger(Auditor.class);

    /** After a walk that met nothing. What it would find is late by the grace as well, and by a crash before that. */
    private static final int QUIET_INTERVALS = 5;

    private final Recovery recovery;
    private final LeaderTerm term;
    private final BucketRestore restore;
    private final Duration interval;
    private final MissingRows missing;
    /** Null = between two walks. */
    private DueRows<RowState> walk;
    /** What has become overdue since; null = all has been looked at. */
    private DueRows<RowState> recent;
    /** Of rows due before this one or the other takes care; epoch milliseconds. */
    private long doubtedMs;

    private boolean begun;
    private boolean firstWalk = true;
    /** Buckets that were not served during the first walk: once they are, it is repeated. */
    private final Set<Integer> unwalked = new TreeSet<>();
    /** Was read, and is not yet compared with the index. */
    private List<RowState> page = List.of();

    /** Whether the current walk met a row. */
    private boolean met;

    Auditor(Recovery recovery, LeaderTerm term, BucketRestore restore) {
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
            // One interval for the scanners, which find out what was lost.
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
        if (!firstWalk && !unwalked.isEmpty() && !recovery.index().refusing().containsAll(unwalked)) {
            LOG.info("The auditor looks at all rows again: buckets {} were not served when it did", unwalked);
            unwalked.clear();
            firstWalk = true;
        }
        doubtedMs = firstWalk ? Long.MAX_VALUE : overdueMs();
        return rows(RowCursor.START, doubtedMs);
    }

    /**
     * What has become overdue since the walk began. Behind the backlog of a dead broker it would wait for its turn, for as
     * long as it takes to go through that.
     */
    private void doubtRecent() {
        if (recent == null) {
            RowCursor from = new RowCursor(doubtedMs, "");
            doubtedMs = overdueMs();
            recent = rows(from, doubtedMs);
        }
        List<RowState> page = recent.next();
        doubt(page);
        if (!isFull(page)) {
            recent = null;
        }
    }

    private DueRows<RowState> rows(RowCursor after, long dueBeforeMs) {
        return DueRows.states(
                recovery.store(),
                Recovery.IN_INDEX,
                after,
                dueBeforeMs,
                recovery.config().pageSize());
    }

    /** A row must be overdue for longer than a push takes to be scheduled before it is doubted. */
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

    /** Rows of buckets that are not served are left alone. */
    private void doubt(List<RowState> page) {
        recovery.board().seen(RecoveryKind.AUDIT, page.size());
        long scheduled = missing.schedule(page);
        if (scheduled > 0) {
            LOG.info("The index did not know {} message(s); they are scheduled again", scheduled);
        }
    }
}
