package io.mykit.delay.queue.operator;

import java.util.Optional;

/**
 * The parameters of a restore by an operator.
 *
 * @param restoreOverdue whether overdue messages are put back too; if not, they become EXPIRED ({@code
 *     /reStore?expire=false})
 * @param topic the only topic that is restored; empty = all topics
 * @param dryRun whether messages are only counted and not changed
 * @param resume whether the restore continues where the last one on this node was stopped or failed; it begins anew if there
 *     was none
 */
public record RestoreOrder(boolean restoreOverdue, Optional<String> topic, boolean dryRun, boolean resume) {
    /** Restores all topics from the beginning. */
    public static RestoreOrder all(boolean restoreOverdue) {
        return new RestoreOrder(restoreOverdue, Optional.empty(), false, false);
    }

    /** Whether the other order changes the same rows in the same way; a dry run counts as the same. */
    public boolean isLike(RestoreOrder other) {
        return restoreOverdue == other.restoreOverdue && topic.equals(other.topic);
    }

    /** The order in the words of the call's parameters. */
    public String kind() {
        return "expire=" + restoreOverdue + " of "
                + topic.map(name -> "topic=" + name).orElse("all topics");
    }

    /** The order as text for the log. */
    @Override
    public String toString() {
        return kind() + (dryRun ? ", dry run" : "");
    }
}
