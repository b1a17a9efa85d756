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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts stored messages into the index, or notes in the store that they still have to get there. Thread-safe.
 *
 * <p>What the index cannot take now goes back to WAIT_PUT, where the loader finds it: a lost Redis never fails a push.
 */
public final class Scheduling {
    private static final Logger LOG = LoggerFactory.getLogger(Scheduling.class);
    private static final String THREAD = "schedule";

    private final OutageLog outage =
            new OutageLog(LOG, "Scheduling leaves work for later", "Scheduling leaves nothing for later");
    private final MessageStore store;
    private final MessageIndex index;
    private final Withdrawals withdrawals;
    private final InstantSource clock;
    private final long horizonMs;
    private final ScheduleMeters meters;

    /** @param horizon only what falls due within it goes into the index; zero = everything */
    public Scheduling(
            MessageStore store, MessageIndex index, InstantSource clock, Duration horizon, ScheduleMeters meters) {
        this.store = store;
        this.index = index;
        this.withdrawals = new Withdrawals(store, index);
        this.clock = clock;
        this.horizonMs = horizon.toMillis();
        this.meters = meters;
    }

    /** DELAY if the message belongs into the index now, WAIT_PUT if it is too far away. */
    public MessageStatus initialStatus(DelayMessage message) {
        boolean near = horizonMs == 0 || message.dueTimeMs() - clock.millis() <= horizonMs;
        return near ? MessageStatus.DELAY : MessageStatus.WAIT_PUT;
    }

    /** Schedules those of the messages whose row says DELAY, in the place of older versions that still wait. */
    public void schedule(List<NewMessage> rows) {
        List<DelayMessage> near = new ArrayList<>(rows.size());
        for (NewMessage row : rows) {
            if (row.status() == MessageStatus.DELAY) {
                near.add(row.message());
            }
        }
        if (near.isEmpty()) {
            return;
        }
        noteRefused(near, index.schedule(near));
    }

    private void noteRefused(List<DelayMessage> messages, List<ScheduleOutcome> outcomes) {
        List<Transition> back = new ArrayList<>();
        int refused = 0;
        for (int i = 0; i < messages.size(); i++) {
            ScheduleOutcome outcome = outcomes.get(i);
            if (outcome == ScheduleOutcome.UNAVAILABLE) {
                refused++;
                back.add(waitPut(messages.get(i), "the index is unavailable"));
            } else if (outcome == ScheduleOutcome.VETOED) {
                // If that fails, or changes its mind, the loader is there.
                back.add(waitPut(messages.get(i), "a cancel or a replacement came in between"));
            }
        }
        if (!back.isEmpty()) {
            meters.refused(refused);
            giveToLoader(back);
        }
    }

    /**
     * To be called after messages were scheduled whose rows others know: one that was cancelled, or that ended otherwise,
     * between the look at its row and its scheduling leaves the index again. A cancel does the same from its side: it takes the
     * message out once more after its row has changed ({@code MessageCanceller}), so that one of the two sees the other.
     *
     * <p>The last look before the delivery would hold such a message back as well, but not while the store is away.
     */
    public void forgetEnded(List<DelayMessage> scheduled) {
        if (scheduled.isEmpty()) {
            return;
        }
        try {
            withdrawals.forgetEnded(scheduled.stream().map(DelayMessage::id).toList());
        } catch (StoreUnavailableException | IndexUnavailableException e) {
            outage.failed(scheduled.size() + " scheduled message(s) were not looked at again: " + e.getMessage());
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
            // The rows stay in DELAY, unknown to the index: the auditor finds them once they are overdue.
            outage.failed(back.size()
                    + " message(s) are stored but neither scheduled nor noted for the loader, the auditor finds them: "
                    + e.getMessage());
        }
    }
}
