package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.BucketIndex;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoredMessage;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds rows in DELAY or READY that the index does not know, and schedules them. One thread.
 *
 * <p>The first walk of a term looks at every row, because nobody knows what the leader before, or a Redis failover, left
 * undone. After that only rows that are overdue are looked at, one page a round: a long healthy backlog behind a dead
 * broker costs one page of ids a second, not a scan. Where none is overdue, nobody looks for some seconds.
 */
public final class Auditor implements Loop {
    private static final Logger LOG = LoggerFactory.getLogger(Auditor.class);

    /** After a walk that met nothing. What it would find is late by the grace as well, and by a crash before that. */
    private static final int QUIET_INTERVALS = 5;

    private final MessageStore store;
    private final BucketIndex index;
    private final InstantSource clock;
    private final LeaderTerm term;
    private final Duration interval;
    private final long graceMs;
    private final int pageSize;
    private final Deque<RowPages<RowState>> walks = new ArrayDeque<>();
    private boolean firstWalk = true;
    /** Whether the current walk met a row. */
    private boolean met;

    /** @param grace how overdue a row must be before it is doubted; longer than a push takes to be scheduled */
    public Auditor(
            MessageStore store,
            BucketIndex index,
            InstantSource clock,
            LeaderTerm term,
            Duration interval,
            Duration grace,
            int pageSize) {
        this.store = store;
        this.index = index;
        this.clock = clock;
        this.term = term;
        this.interval = interval;
        this.graceMs = grace.toMillis();
        this.pageSize = pageSize;
        beginWalk(Long.MAX_VALUE);
    }

    @Override
    public Duration runOnce() {
        if (!term.isActive()) {
            return interval;
        }
        if (walks.isEmpty()) {
            firstWalk = false;
            met = false;
            beginWalk(clock.millis() - graceMs);
        }
        List<RowState> page = walks.getFirst().next();
        if (page.isEmpty()) {
            walks.removeFirst();
            return walks.isEmpty() ? pauseAfterWalk() : Duration.ZERO;
        }
        met = true;
        scheduleUnknown(page);
        return firstWalk ? Duration.ZERO : interval;
    }

    private Duration pauseAfterWalk() {
        return met || firstWalk ? interval : interval.multipliedBy(QUIET_INTERVALS);
    }

    private void beginWalk(long dueBeforeMs) {
        for (MessageStatus status : List.of(MessageStatus.READY, MessageStatus.DELAY)) {
            walks.add(RowPages.states(store, status, dueBeforeMs, pageSize));
        }
    }

    private void scheduleUnknown(List<RowState> page) {
        Map<String, Location> known =
                index.locate(page.stream().map(RowState::id).toList());
        List<String> unknown = page.stream()
                .map(RowState::id)
                .filter(id -> !known.containsKey(id))
                .toList();
        if (unknown.isEmpty()) {
            return;
        }
        // Read again: a row that was finished between the page and the look into the index is no longer ours.
        List<DelayMessage> missing = store.find(unknown).stream()
                .filter(row -> row.status() == MessageStatus.DELAY || row.status() == MessageStatus.READY)
                .map(StoredMessage::message)
                .toList();
        long scheduled = index.schedule(missing).stream()
                .filter(outcome -> outcome == ScheduleOutcome.SCHEDULED)
                .count();
        if (scheduled > 0) {
            LOG.info("The index did not know {} message(s); they are scheduled again", scheduled);
        }
    }
}
