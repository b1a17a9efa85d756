package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.BucketIndex;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.store.MessagePage;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.queue.store.Transition;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Brings rows that wait in the store into the index ahead of their time. One thread.
 *
 * <p>Rows are claimed in the store first (a conditional update), so that a cancel finds a message in exactly one place.
 * A crash between claim and scheduling leaves rows in DELAY that the index does not know: the next leader's auditor
 * schedules them.
 */
public final class Loader implements Loop {
    private static final String THREAD = "loader";
    /** Rounds of which one looks for what a restore left behind: that is rare, and nobody counts on seconds there. */
    private static final int RESTORE_EVERY = 5;
    /** After a round that found nothing. */
    private static final int QUIET_INTERVALS = 2;

    private final Recovery room;
    private final MessageStore store;
    private final BucketIndex index;
    private final InstantSource clock;
    private final LeaderTerm term;
    private final Duration interval;
    private final PageSize pageSize;
    private int untilRestore;
    /** Whether this round left rows behind that wait. */
    private boolean more;

    Loader(Recovery room, LeaderTerm term) {
        this.room = room;
        this.store = room.store();
        this.index = room.index();
        this.clock = room.clock();
        this.term = term;
        this.interval = room.config().interval();
        this.pageSize = new PageSize(room.config().pageSize());
    }

    @Override
    public Duration runOnce() {
        if (!term.isActive()) {
            return interval;
        }
        more = false;
        try {
            int loaded = load(MessageStatus.WAIT_PUT) + loadRestore();
            if (more) {
                return Duration.ZERO;
            }
            return loaded > 0 ? interval : interval.multipliedBy(QUIET_INTERVALS);
        } catch (RuntimeException | Error e) {
            pageSize.restart();
            throw e;
        }
    }

    /** What a restore that died in the middle left behind. */
    private int loadRestore() {
        if (untilRestore > 0) {
            untilRestore--;
            return 0;
        }
        int loaded = load(MessageStatus.RESTORE);
        untilRestore = loaded > 0 ? 0 : RESTORE_EVERY - 1;
        return loaded;
    }

    private int load(MessageStatus from) {
        long horizonMs = room.horizon().toMillis();
        long dueBeforeMs = horizonMs == 0 ? Long.MAX_VALUE : clock.millis() + horizonMs;
        MessagePage page = store.page(from, RowCursor.START, dueBeforeMs, pageSize.next(), PageSize.BODIES);
        more |= !page.last();
        List<StoredMessage> rows = page.rows();
        if (rows.isEmpty()) {
            return 0;
        }
        askIndex();
        Set<String> lost = store.move(transitions(rows, MessageStatus.DELAY, "loaded"));
        List<StoredMessage> claimed =
                rows.stream().filter(row -> !lost.contains(row.message().id())).toList();
        schedule(claimed);
        room.board().seen(Work.LOAD, rows.size());
        pageSize.read(rows);
        return rows.size();
    }

    /** Before claiming: while the index is away or full, rows must not be claimed and given back again and again. */
    private void askIndex() {
        Health health = index.check();
        if (!health.up()) {
            throw new IndexUnavailableException(
                    "messages wait to be loaded; the index " + health.details().get("reason"), null);
        }
        index.highestEpoch();
    }

    private void schedule(List<StoredMessage> claimed) {
        List<DelayMessage> messages =
                claimed.stream().map(StoredMessage::message).toList();
        List<ScheduleOutcome> outcomes = index.schedule(messages);
        List<StoredMessage> refused = new ArrayList<>();
        for (int i = 0; i < outcomes.size(); i++) {
            ScheduleOutcome outcome = outcomes.get(i);
            if (outcome == ScheduleOutcome.UNAVAILABLE || outcome == ScheduleOutcome.VETOED) {
                StoredMessage row = claimed.get(i);
                refused.add(new StoredMessage(row.message(), MessageStatus.DELAY, row.attempts(), row.updateTimeMs()));
            }
        }
        room.scheduling().forgetEnded(messages);
        room.board().scheduled(Work.LOAD, outcomes.size() - refused.size());
        if (!refused.isEmpty()) {
            store.move(transitions(refused, MessageStatus.WAIT_PUT, "the index did not take it"));
            throw new IndexUnavailableException(refused.size() + " message(s) could not be loaded", null);
        }
    }

    private List<Transition> transitions(List<StoredMessage> rows, MessageStatus to, String detail) {
        List<Transition.Step> steps = List.of(new Transition.Step(to, clock.millis(), detail));
        return rows.stream()
                .map(row -> new Transition(
                        row.message().id(), row.message().version(), row.status(), steps, THREAD, row.attempts()))
                .toList();
    }
}
