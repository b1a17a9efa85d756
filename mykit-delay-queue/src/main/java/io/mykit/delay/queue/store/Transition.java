package io.mykit.delay.queue.store;

import io.mykit.delay.common.message.MessageStatus;
import java.util.List;

/**
 * A status change that happens only if the row still has this version and is in {@code from}. Several steps at once are one change of the
 * row and a flow row each, so that a state which lasted milliseconds costs no round trip of its own.
 *
 * @param id the message
 * @param version of the message, so that what became of one version never touches another
 * @param from the state that the row must be in
 * @param steps at least one, each a legal move from the one before
 * @param thread whose move it is: the bucket's loop, or the room
 * @param attempts deliveries that failed so far; written to the row
 */
public record Transition(String id, int version, MessageStatus from, List<Step> steps, String thread, int attempts) {

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
    }

    /** A change of a row as it was read, which leaves its attempts as they are. */
    public static Transition of(RowState row, List<Step> steps, String thread) {
        return of(row, steps, thread, row.attempts());
    }

    /** A change of a row as it was read. */
    public static Transition of(RowState row, List<Step> steps, String thread, int attempts) {
        return new Transition(row.id(), row.version(), row.status(), steps, thread, attempts);
    }

    /** Two steps, without the first where the row is there already. */
    public static List<Step> through(MessageStatus from, Step between, Step last) {
        return from == between.to() ? List.of(last) : List.of(between, last);
    }

    /** Where the row ends up. */
    public MessageStatus to() {
        return steps.get(steps.size() - 1).to();
    }

    /**
     * One move.
     *
     * @param atMs epoch milliseconds
     * @param detail why, for a person; at most 250 characters are kept
     */
    public record Step(MessageStatus to, long atMs, String detail) {
        public Step(MessageStatus to, long atMs) {
            this(to, atMs, "");
        }
    }
}
