package io.mykit.delay.queue.store;

import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.common.message.MessageResult;
import io.mykit.delay.common.message.MessageStatus;
import java.util.List;

/**
 * A status change of one row. The store applies it only if the row still has the version and the {@code from} status.
 * Several steps are one change of the row and one flow row for each step, so that a status which lasted milliseconds
 * costs no round trip of its own.
 *
 * @param id of the message
 * @param version of the message, so that an event of one version never changes another version
 * @param from the status that the row must have
 * @param steps at least one; each is a legal move from the status before it
 * @param thread the author of the change in the flow log: the loop of a bucket, or the name of a component
 * @param attempts the number of failed deliveries so far; the store writes it to the row
 * @param retryMs the due time of the next attempt, epoch milliseconds: the store moves the row to it and keeps the first due
 *     time; 0 = the due time stays
 * @param dueMs the due time of the row that was read, epoch milliseconds: a retry of a row that another attempt has moved since is
 *     left out; 0 = no row was read
 * @param result the result that the store keeps with the row, only with a change to FINISH; null = none
 */
public record Transition(
        String id,
        int version,
        MessageStatus from,
        List<Step> steps,
        String thread,
        int attempts,
        long retryMs,
        long dueMs,
        MessageResult result) {

    public Transition {
        if (steps.isEmpty()) {
            throw new IllegalArgumentException("no steps for " + id);
        }
        MessageStatus at = from;
        for (Step step : steps) {
            if (!at.canBecome(step.to())) {
                throw new IllegalArgumentException("message " + id + " cannot go from " + at + " to " + step.to());
            }
            at = step.to();
        }
        if (result != null && at != MessageStatus.FINISH) {
            throw new IllegalArgumentException("message " + id + " has a result, but becomes " + at);
        }
    }

    /** A change that does not move the due time. */
    public Transition(String id, int version, MessageStatus from, List<Step> steps, String thread, int attempts) {
        this(id, version, from, steps, thread, attempts, 0, 0, null);
    }

    /** A change of a row that was read before. The number of its attempts stays. */
    public static Transition of(RowState row, List<Step> steps, String thread) {
        return of(row, steps, thread, row.attempts());
    }

    /** A change of a row that was read before. */
    public static Transition of(RowState row, List<Step> steps, String thread, int attempts) {
        return new Transition(row.id(), row.version(), row.status(), steps, thread, attempts, 0, row.dueTimeMs(), null);
    }

    /**
     * The end of an attempt: the row passes through READY, unless it is READY already.
     *
     * @param readyMs when the message was taken, epoch milliseconds
     * @param attempts the number of failed deliveries so far, with this one if it failed
     */
    public static Transition ofAttempt(RowState row, long readyMs, Step last, String thread, int attempts) {
        return of(row, through(row.status(), new Step(MessageStatus.READY, readyMs), last), thread, attempts);
    }

    /** The same change, which moves the row to the due time of its next attempt. */
    public Transition retriedAt(long nextAttemptMs) {
        return new Transition(id, version, from, steps, thread, attempts, nextAttemptMs, dueMs, result);
    }

    /** The same change, with a result; null = none. */
    public Transition withResult(MessageResult given) {
        return new Transition(id, version, from, steps, thread, attempts, retryMs, dueMs, given);
    }

    /** False for a retry of a row that another attempt has moved to a later due time. The store leaves this change out. */
    public boolean isNewsFor(long dueMsOfRow) {
        return retryMs == 0 || dueMsOfRow == dueMs;
    }

    /** Two steps. The first step is left out if the row has its status already. */
    public static List<Step> through(MessageStatus from, Step between, Step last) {
        return from == between.to() ? List.of(last) : List.of(between, last);
    }

    /** The status of the row after the change. */
    public MessageStatus to() {
        return last().to();
    }

    /** The step that leads to the status after the change. */
    public Step last() {
        return steps.get(steps.size() - 1);
    }

    /**
     * One move from one status to the next.
     *
     * @param atMs epoch milliseconds
     * @param detail the reason, for a person; at most 250 characters are kept
     * @param reason why the message is a dead letter, if the step leads to FAILED; {@link DeadReason#ATTEMPTS} otherwise
     */
    public record Step(MessageStatus to, long atMs, String detail, DeadReason reason) {
        public Step(MessageStatus to, long atMs, String detail) {
            this(to, atMs, detail, DeadReason.ATTEMPTS);
        }

        public Step(MessageStatus to, long atMs) {
            this(to, atMs, "");
        }
    }
}
