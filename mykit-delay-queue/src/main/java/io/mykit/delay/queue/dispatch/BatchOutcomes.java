package io.mykit.delay.queue.dispatch;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.common.message.BodyBounds;
import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageResult;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.Transition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The outcomes of one batch: status changes for the store, and the changes that the index has to make. One thread fills it;
 * after that, threads only read it.
 */
final class BatchOutcomes {
    /** A message without a delay is due before its row is written. A delay of up to this does not count as overdue. */
    private static final long PROMPT_MS = 1000;
    /** One name for all buckets, so that the outcomes of a batch share their statement. */
    private static final String AUTHOR = "delivery";
    /** A full batch of 200 small messages has as many places as one with as much text as a batch may have. */
    private static final int TEXT_OF_A_PLACE = BodyBounds.TOGETHER / 200;

    private final long readyMs;
    private final boolean checked;
    private final Map<String, RowState> rows;
    private final List<Transition> transitions = new ArrayList<>();
    private final Map<Integer, List<ParkedOutcome>> ended = new TreeMap<>();
    private final Map<Integer, List<String>> unsent = new TreeMap<>();
    private final Map<Integer, List<String>> maybeSent = new TreeMap<>();
    private final List<Retry> retries = new ArrayList<>();
    private final Map<String, DelayMessage> dead = new HashMap<>();
    private int endings;
    private int full;
    /** The characters of dead bodies and results, which stay in memory until they are written. */
    private long text;

    /**
     * @param readyMs when the batch was taken, epoch milliseconds
     * @param passage the rows that the store knew; a message without a row leaves no transition
     */
    BatchOutcomes(long readyMs, Gate.Passage passage) {
        this.readyMs = readyMs;
        this.checked = passage.checked();
        this.rows = passage.rows();
    }

    private BatchOutcomes(BatchOutcomes batch) {
        this.readyMs = batch.readyMs;
        this.checked = batch.checked;
        this.rows = batch.rows;
    }

    /** For messages of the same batch whose fates are known later: empty, with the same rows. */
    BatchOutcomes later() {
        return new BatchOutcomes(this);
    }

    /** How many deliveries of this message failed before. */
    int attempts(Leased leased) {
        RowState row = rows.get(leased.id());
        return row == null ? 0 : row.attempts();
    }

    /**
     * Whether the message came overdue: its push, replacement, restore or load was later than its due time, or an attempt
     * failed before. The update time of the row shows the first four while the row is not READY, because the dispatcher itself
     * writes READY.
     */
    boolean cameOverdue(Leased leased) {
        RowState row = rows.get(leased.id());
        boolean late =
                row != null && row.status() != MessageStatus.READY && row.updateTimeMs() - row.dueTimeMs() > PROMPT_MS;
        return late || leased.message().extras().firstDueMs() != 0;
    }

    /**
     * FINISH: the message leaves the index.
     *
     * @param fate may have a result, which is recorded with the row. If the store is away, the outcome is parked without it: the
     *     memory of the index would have to hold the results of an outage of any length
     */
    void finish(Leased leased, long atMs, Delivery fate) {
        boolean tooLarge = fate.result().filter(MessageResult::isTooLarge).isPresent();
        MessageResult result = tooLarge ? null : fate.result().orElse(null);
        String detail = tooLarge ? "the result is not kept: it is too large" : fate.detail();
        String parkedDetail = result == null ? detail : "the result is lost: the database was away";
        Transition.Step done = new Transition.Step(MessageStatus.FINISH, atMs, detail);
        end(leased, attempts(leased), done, parkedDetail, result);
    }

    /** EXPIRED: the message leaves the index. */
    void expire(Leased leased, long atMs, String detail) {
        end(leased, attempts(leased), new Transition.Step(MessageStatus.EXPIRED, atMs, detail));
    }

    /** FAILED: the message leaves the index as a dead letter. */
    void die(Leased leased, DeadReason reason, long atMs, int attempts, String detail) {
        dead.put(leased.id(), leased.message());
        text += leased.message().body().length();
        end(leased, attempts, new Transition.Step(MessageStatus.FAILED, atMs, detail, reason));
    }

    private void end(Leased leased, int attempts, Transition.Step step) {
        end(leased, attempts, step, step.detail(), null);
    }

    private void end(Leased leased, int attempts, Transition.Step step, String parkedDetail, MessageResult result) {
        ended.computeIfAbsent(leased.bucket(), bucket -> new ArrayList<>())
                .add(new ParkedOutcome(
                        leased.id(),
                        leased.message().version(),
                        step.to(),
                        readyMs,
                        step.atMs(),
                        attempts,
                        parkedDetail,
                        step.reason()));
        endings++;
        text += result == null ? 0 : result.text().length();
        record(leased, attempts, step, 0, result);
    }

    /**
     * Only this message waits and is tried again. Its row moves to the due time of the next attempt.
     *
     * @param far whether that time is beyond the horizon; then the message waits in the store alone if the store takes the
     *     outcome
     * @param attempted whether the receiver may have got it
     */
    void retry(
            Leased leased, long nextAttemptMs, boolean far, long atMs, int attempts, boolean attempted, String detail) {
        // The row does not tell of an attempt that was not counted.
        boolean leaves = far && rows.containsKey(leased.id()) && (attempts > 0 || !attempted);
        retries.add(new Retry(leased, leased.retriedAt(nextAttemptMs), leaves, attempted));
        MessageStatus waits = leaves ? MessageStatus.WAIT_PUT : MessageStatus.DELAY;
        record(leased, attempts, new Transition.Step(waits, atMs, detail), nextAttemptMs, null);
    }

    /**
     * Only this message waits, in the index alone. Its row is due as before: if the index loses the message, it is tried again at
     * once.
     */
    void postpone(Leased leased, long untilMs) {
        full++;
        retries.add(new Retry(leased, leased.retriedAt(untilMs), false, false));
    }

    /**
     * The whole topic waits; the message goes back to the head of its ready list.
     *
     * @param attempted whether the receiver may have got it
     */
    void giveBack(Leased leased, String detail, boolean attempted) {
        Map<Integer, List<String>> release = attempted ? maybeSent : unsent;
        release.computeIfAbsent(leased.bucket(), bucket -> new ArrayList<>()).add(leased.id());
        RowState row = rows.get(leased.id());
        // A message that stays READY gets a flow row of its own. If the message came overdue, it gets none, because
        // the new update time would hide that.
        if (row != null && row.status() != MessageStatus.READY && !cameOverdue(leased)) {
            Transition.Step ready = new Transition.Step(MessageStatus.READY, readyMs, detail);
            transitions.add(Transition.of(row, List.of(ready), AUTHOR));
        }
    }

    private void record(Leased leased, int attempts, Transition.Step last, long nextAttemptMs, MessageResult result) {
        RowState row = rows.get(leased.id());
        if (row != null) {
            transitions.add(Transition.ofAttempt(row, readyMs, last, AUTHOR, attempts)
                    .retriedAt(nextAttemptMs)
                    .withResult(result));
        }
    }

    /** Whether no message goes back to the index. Then no message has to wait for the record. */
    boolean areFinal() {
        return unsent.isEmpty() && maybeSent.isEmpty() && retries.isEmpty();
    }

    /** How many messages found no place at their receivers. */
    int full() {
        return full;
    }

    /** How many messages leave the index. */
    int endings() {
        return endings;
    }

    /** The places of this batch in the queue of outcomes: one for each message that leaves the index, and more if texts are long. */
    int places() {
        return endings + (int) (text / TEXT_OF_A_PLACE);
    }

    /** The characters of dead bodies and results. */
    long text() {
        return text;
    }

    /**
     * Whether the store was asked before the delivery. If it was not, the outcomes of the ended messages are recorded later.
     */
    boolean checked() {
        return checked;
    }

    /** When the batch was taken, epoch milliseconds. */
    long readyMs() {
        return readyMs;
    }

    List<Transition> transitions() {
        return transitions;
    }

    /** The messages that became dead letters, by their ids. */
    Map<String, DelayMessage> dead() {
        return dead;
    }

    /** The ended messages by bucket. */
    Map<Integer, List<ParkedOutcome>> ended() {
        return ended;
    }

    /** The messages that go back to their ready lists and that their receivers did not get, by bucket. */
    Map<Integer, List<String>> unsent() {
        return unsent;
    }

    /** The messages that go back to their ready lists and that their receivers may have got, by bucket. */
    Map<Integer, List<String>> maybeSent() {
        return maybeSent;
    }

    /** The buckets to whose ready lists messages go back. */
    Set<Integer> released() {
        Set<Integer> released = new TreeSet<>(unsent.keySet());
        released.addAll(maybeSent.keySet());
        return released;
    }

    List<Retry> retries() {
        return retries;
    }
}
