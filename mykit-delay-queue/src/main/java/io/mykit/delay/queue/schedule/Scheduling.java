package io.mykit.delay.queue.schedule;

import io.mykit.delay.common.lifecycle.OutageLog;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.StoreUnavailableException;
import io.mykit.delay.queue.store.Transition;
import io.mykit.delay.queue.withdrawal.Withdrawals;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts stored messages into the index, or puts their rows back to WAIT_PUT for the loader. A message of a pulled topic that is due already
 * is ready then. Thread-safe; blocks.
 *
 * <p>A message that the index cannot take now goes back to WAIT_PUT. The loader finds it there, so a lost Redis never
 * fails a push.
 *
 * <p>A crash before that leaves a row in DELAY that the index does not know. The auditor schedules it.
 */
public final class Scheduling {
    private static final Logger LOG = LoggerFactory.getLogger(Scheduling.class);
    private static final String THREAD = "schedule";
    /** Less than the time of a veto: a message that is scheduled later may have ended since, and its veto may be over. */
    private static final long LATE_MS = Duration.ofSeconds(10).toMillis();

    private final OutageLog outage = new OutageLog(LOG, "Scheduling is incomplete", "Scheduling is complete again");
    private final MessageStore store;
    private final MessageIndex index;
    private final Withdrawals withdrawals;
    private final InstantSource clock;
    private final Horizon horizon;
    private final Predicate<String> pulled;
    private final ScheduleMeters meters;

    /** @param pulled whether consumers pull a topic */
    public Scheduling(
            MessageStore store,
            MessageIndex index,
            InstantSource clock,
            Horizon horizon,
            Predicate<String> pulled,
            ScheduleMeters meters) {
        this.store = store;
        this.index = index;
        this.withdrawals = new Withdrawals(store, index);
        this.clock = clock;
        this.horizon = horizon;
        this.pulled = pulled;
        this.meters = meters;
    }

    /** Returns DELAY if the message belongs into the index now, and WAIT_PUT if its due time is beyond the horizon. */
    public MessageStatus initialStatus(DelayMessage message) {
        return horizon.includes(message.dueTimeMs(), clock.millis()) ? MessageStatus.DELAY : MessageStatus.WAIT_PUT;
    }

    /** The time of the clock that {@link #schedule} compares with; epoch milliseconds. */
    public long nowMs() {
        return clock.millis();
    }

    /** As the other method, for messages whose ids no caller knows yet: nobody can have ended them. */
    public void schedule(List<NewMessage> rows) {
        schedule(rows, clock.millis());
    }

    /**
     * Schedules the messages whose first status is DELAY. A message replaces its older version that still waits in
     * the index. If this server stood still since the commit of the rows, it takes those out again that ended meanwhile.
     *
     * @param beforeMs a time before that commit
     */
    public void schedule(List<NewMessage> rows, long beforeMs) {
        List<DelayMessage> near = new ArrayList<>(rows.size());
        for (NewMessage row : rows) {
            if (row.status() == MessageStatus.DELAY) {
                near.add(row.message());
            }
        }
        if (near.isEmpty()) {
            return;
        }
        noteRefused(near, index.schedule(near, message -> false, pulled));
        if (clock.millis() - beforeMs > LATE_MS) {
            forgetEnded(near);
        }
    }

    private void noteRefused(List<DelayMessage> messages, List<ScheduleOutcome> outcomes) {
        List<Transition> back = new ArrayList<>();
        int refused = 0;
        for (int i = 0; i < messages.size(); i++) {
            ScheduleOutcome outcome = outcomes.get(i);
            if (outcome == ScheduleOutcome.UNAVAILABLE) {
                refused++;
                back.add(waitPut(messages.get(i), "Redis is unavailable; the loader schedules the message later"));
            } else if (outcome == ScheduleOutcome.VETOED) {
                // The cancel or the replacement may still fail or give up. In this case the loader schedules the
                // message.
                back.add(waitPut(messages.get(i), "a cancel or a replacement vetoed the scheduling"));
            }
        }
        if (!back.isEmpty()) {
            meters.refused(refused);
            giveToLoader(back);
        }
    }

    /**
     * Takes scheduled messages out of the index again if their rows have ended. A caller uses it after it scheduled
     * messages whose rows other calls may have ended between the reading of the row and the scheduling. A cancel does
     * the same from its side: it takes the message out once more after its row has changed ({@code
     * MessageCanceller}). So one of the two calls sees the change of the other.
     *
     * <p>The gate would drop such a message before its delivery as well, but not while the store is away.
     */
    public void forgetEnded(List<DelayMessage> scheduled) {
        if (scheduled.isEmpty()) {
            return;
        }
        try {
            withdrawals.forgetEnded(scheduled.stream().map(DelayMessage::id).toList());
        } catch (StoreUnavailableException | IndexUnavailableException e) {
            outage.failed(scheduled.size()
                    + " message(s) were scheduled, and their rows could not be checked for a cancel afterwards: "
                    + e.getMessage());
        }
    }

    private Transition waitPut(DelayMessage message, String why) {
        Transition.Step step = new Transition.Step(MessageStatus.WAIT_PUT, clock.millis(), why);
        return new Transition(message.id(), message.version(), MessageStatus.DELAY, List.of(step), THREAD, 0);
    }

    private void giveToLoader(List<Transition> back) {
        try {
            store.move(back);
        } catch (StoreUnavailableException e) {
            // The rows stay in DELAY, and the index does not know them. The auditor finds them once they are overdue.
            outage.failed(back.size()
                    + " message(s) are stored and not scheduled, and their rows could not go back to WAIT_PUT;"
                    + " the auditor schedules them once they are overdue: "
                    + e.getMessage());
        }
    }
}
