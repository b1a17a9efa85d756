package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.Transition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What one batch came to: status changes for the store, and what the index has to do with each message. One thread. */
final class Outcomes {
    private final String thread;
    private final long readyMs;
    private final Map<String, RowState> rows;
    private final List<Transition> transitions = new ArrayList<>();
    private final List<ParkedOutcome> ended = new ArrayList<>();
    private final List<String> release = new ArrayList<>();
    private final Map<String, Duration> postpone = new LinkedHashMap<>();

    /**
     * @param thread the lane, for the flow log
     * @param readyMs when the batch was taken, epoch milliseconds
     * @param rows what the store knew about the messages; those missing leave no transition
     */
    Outcomes(String thread, long readyMs, Map<String, RowState> rows) {
        this.thread = thread;
        this.readyMs = readyMs;
        this.rows = rows;
    }

    /** Deliveries of this message that failed before. */
    int attempts(DelayMessage message) {
        RowState row = rows.get(message.id());
        return row == null ? 0 : row.attempts();
    }

    /** FINISH, FAILED or EXPIRED: the message leaves the index. */
    void end(DelayMessage message, MessageStatus status, long atMs, int attempts, String detail) {
        ended.add(new ParkedOutcome(message.id(), status, readyMs, atMs, attempts, detail));
        record(message, attempts, new Transition.Step(status, atMs, detail));
    }

    /** This message alone waits and is tried again. */
    void retry(DelayMessage message, Duration delay, long atMs, int attempts, String detail) {
        postpone.put(message.id(), delay);
        record(message, attempts, new Transition.Step(MessageStatus.DELAY, atMs, detail));
    }

    /** The whole topic waits; the message goes back to the head of its ready list. */
    void giveBack(DelayMessage message, String detail) {
        release.add(message.id());
        RowState row = rows.get(message.id());
        if (row != null && row.status() != MessageStatus.READY) {
            // A READY that lasts is worth a row of its own.
            Transition.Step ready = new Transition.Step(MessageStatus.READY, readyMs, detail);
            transitions.add(new Transition(row.id(), row.status(), List.of(ready), thread, row.attempts()));
        }
    }

    private void record(DelayMessage message, int attempts, Transition.Step last) {
        RowState row = rows.get(message.id());
        if (row != null) {
            Transition.Step ready = new Transition.Step(MessageStatus.READY, readyMs);
            List<Transition.Step> steps = Transition.through(row.status(), ready, last);
            transitions.add(new Transition(row.id(), row.status(), steps, thread, attempts));
        }
    }

    List<Transition> transitions() {
        return transitions;
    }

    List<ParkedOutcome> ended() {
        return ended;
    }

    List<String> endedIds() {
        return ended.stream().map(ParkedOutcome::id).toList();
    }

    List<String> release() {
        return release;
    }

    Map<String, Duration> postpone() {
        return postpone;
    }
}
