package io.mykit.delay.queue.recovery;

import java.util.Optional;

/**
 * What an operator asks of a restore.
 *
 * @param restoreOverdue whether overdue messages are put back too; if not, they become EXPIRED ({@code /reStore?expire=false})
 * @param topic the only one that is restored; empty = all
 * @param dryRun whether it is only counted what would be done
 * @param resume whether it goes on where the last one on this node was stopped or failed; from the beginning if none was
 */
public record RestoreOrder(boolean restoreOverdue, Optional<String> topic, boolean dryRun, boolean resume) {
    /** Everything, from the beginning. */
    public static RestoreOrder all(boolean restoreOverdue) {
        return new RestoreOrder(restoreOverdue, Optional.empty(), false, false);
    }

    /** Whether the other one does the same to the same rows, be it for a try or in earnest. */
    boolean isLike(RestoreOrder other) {
        return restoreOverdue == other.restoreOverdue && topic.equals(other.topic);
    }

    /** What it does to which rows, in the operator's words. */
    String kind() {
        return "expire=" + restoreOverdue + " of "
                + topic.map(name -> "topic=" + name).orElse("all topics");
    }

    /** For the log. */
    @Override
    public String toString() {
        return kind() + (dryRun ? ", dry run" : "");
    }
}
