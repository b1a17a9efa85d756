package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.Transition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one batch came to: status changes for the store, and what the index has to do with each message. Filled by one
 * thread, then only read.
 */
final class BatchOutcomes {
    /** A message to be delivered at once is due before its row is written. */
    private static final long PROMPT_MS = 1000;

    private final long readyMs;
    private final boolean checked;
    private final Map<String, RowState> rows;
    private final List<Transition> transitions = new ArrayList<>();
    private final Map<Integer, List<ParkedOutcome>> ended = new TreeMap<>();
    private final Map<Integer, List<String>> release = new TreeMap<>();
    private final Map<Integer, Map<String, Duration>> postpone = new TreeMap<>();
    private int endings;

    /**
     * @param readyMs when the batch was taken, epoch milliseconds
     * @param passage what the store knew about the messages; those missing leave no transition
     */
    BatchOutcomes(long readyMs, Gate.Passage passage) {
        this.readyMs = readyMs;
        this.checked = passage.checked();
        this.rows = passage.rows();
    }

    /** Deliveries of this message that failed before. */
    int attempts(Leased leased) {
        RowState row = rows.get(leased.id());
        return row == null ? 0 : row.attempts();
    }

    /**
     * Whether the message came overdue: pushed, replaced, restored, loaded or put off for another attempt when it was due
     * already. Its row tells, as long as it is not READY: that change is ours. Unknown while the store is away.
     */
    boolean cameOverdue(Leased leased) {
        RowState row = rows.get(leased.id());
        return row != null && row.status() != MessageStatus.READY && row.updateTimeMs() - row.dueTimeMs() > PROMPT_MS;
    }

    /** FINISH, FAILED or EXPIRED: the message leaves the index. */
    void end(Leased leased, MessageStatus status, long atMs, int attempts, String detail) {
        ended.computeIfAbsent(leased.bucket(), bucket -> new ArrayList<>())
                .add(new ParkedOutcome(
                        leased.id(), leased.message().version(), status, readyMs, atMs, attempts, detail));
        endings++;
        record(leased, attempts, new Transition.Step(status, atMs, detail));
    }

    /** This message alone waits and is tried again. */
    void retry(Leased leased, Duration delay, long atMs, int attempts, String detail) {
        postpone.computeIfAbsent(leased.bucket(), bucket -> new LinkedHashMap<>())
                .put(leased.id(), delay);
        record(leased, attempts, new Transition.Step(MessageStatus.DELAY, atMs, detail));
    }

    /** The whole topic waits; the message goes back to the head of its ready list. */
    void giveBack(Leased leased, String detail) {
        release.computeIfAbsent(leased.bucket(), bucket -> new ArrayList<>()).add(leased.id());
        RowState row = rows.get(leased.id());
        // A READY that lasts is worth a row of its own; but not where it would hide that the message came overdue.
        if (row != null && row.status() != MessageStatus.READY && !cameOverdue(leased)) {
            Transition.Step ready = new Transition.Step(MessageStatus.READY, readyMs, detail);
            transitions.add(Transition.of(row, List.of(ready), thread(leased)));
        }
    }

    private void record(Leased leased, int attempts, Transition.Step last) {
        RowState row = rows.get(leased.id());
        if (row != null) {
            Transition.Step ready = new Transition.Step(MessageStatus.READY, readyMs);
            List<Transition.Step> steps = Transition.through(row.status(), ready, last);
            transitions.add(Transition.of(row, steps, thread(leased), attempts));
        }
    }

    private static String thread(Leased leased) {
        return "bucket-" + leased.bucket();
    }

    /** Whether no message goes back: then nobody waits for the record. */
    boolean areFinal() {
        return release.isEmpty() && postpone.isEmpty();
    }

    /** How many messages leave the index. */
    int endings() {
        return endings;
    }

    /** Whether the store was asked before the delivery; if not, it has to be told later how these ended. */
    boolean checked() {
        return checked;
    }

    List<Transition> transitions() {
        return transitions;
    }

    /** By bucket, like the two below. */
    Map<Integer, List<ParkedOutcome>> ended() {
        return ended;
    }

    Map<Integer, List<String>> release() {
        return release;
    }

    Map<Integer, Map<String, Duration>> postpone() {
        return postpone;
    }
}
