package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoredMessage;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds rows in DELAY or READY that the index does not know, and schedules them. One thread.
 *
 * <p>The first walk of a term looks at every row, because nobody knows what the leader before, or a Redis failover, left
 * undone. After that only rows that are overdue are looked at, one page a round: a long healthy backlog behind a dead
 * broker costs one page of ids a second, not a scan. Where none is overdue, nobody looks for some seconds.
 *
 * <p>While buckets are restored it rests, and where all of them were restored in this term the first walk is done: every
 * row is read once and not twice.
 */
public final class Auditor implements Loop {
    private static final Logger LOG = LoggerFactory.getLogger(Auditor.class);

    /** After a walk that met nothing. What it would find is late by the grace as well, and by a crash before that. */
    private static final int QUIET_INTERVALS = 5;

    private final Recovery room;
    private final LeaderTerm term;
    private final BucketRestore restore;
    private final Duration interval;
    /** Null = between two walks. */
    private DueRows<RowState> walk;

    private boolean begun;
    private boolean firstWalk = true;
    /** Whether the current walk met a row. */
    private boolean met;

    Auditor(Recovery room, LeaderTerm term, BucketRestore restore) {
        this.room = room;
        this.term = term;
        this.restore = restore;
        this.interval = room.config().interval();
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
            walk = null;
        }
        if (walk == null) {
            walk = begin();
        }
        List<RowState> page = walk.next();
        if (page.isEmpty()) {
            return end();
        }
        met = true;
        room.board().seen(Work.AUDIT, page.size());
        scheduleUnknown(page);
        return firstWalk ? Duration.ZERO : interval;
    }

    private DueRows<RowState> begin() {
        met = false;
        // A row must be overdue for longer than a push takes to be scheduled before it is doubted.
        long dueBeforeMs = firstWalk
                ? Long.MAX_VALUE
                : room.clock().millis() - room.config().grace().toMillis();
        return DueRows.states(
                room.store(), Recovery.IN_INDEX, dueBeforeMs, room.config().pageSize());
    }

    private Duration end() {
        Duration pause = met || firstWalk ? interval : interval.multipliedBy(QUIET_INTERVALS);
        walk = null;
        firstWalk = false;
        return pause;
    }

    private void scheduleUnknown(List<RowState> page) {
        List<String> unknown =
                List.copyOf(room.index().unknown(page.stream().map(RowState::id).toList()));
        long scheduled = 0;
        // Whole messages, so not too many at a time.
        for (int from = 0; from < unknown.size(); from += PageSize.FIRST) {
            scheduled += schedule(unknown.subList(from, Math.min(from + PageSize.FIRST, unknown.size())));
        }
        if (scheduled > 0) {
            room.board().scheduled(Work.AUDIT, scheduled);
            LOG.info("The index did not know {} message(s); they are scheduled again", scheduled);
        }
    }

    private long schedule(List<String> unknown) {
        // Read again: a row that was finished between the page and the look into the index is no longer ours.
        List<DelayMessage> missing = room.store().find(unknown).stream()
                .filter(row -> row.status() == MessageStatus.DELAY || row.status() == MessageStatus.READY)
                .map(StoredMessage::message)
                .toList();
        long scheduled = room.index().schedule(missing).stream()
                .filter(outcome -> outcome == ScheduleOutcome.SCHEDULED)
                .count();
        if (scheduled > 0) {
            room.scheduling().forgetEnded(missing);
        }
        return scheduled;
    }
}
