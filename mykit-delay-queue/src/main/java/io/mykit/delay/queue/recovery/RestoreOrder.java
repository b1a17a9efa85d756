package io.mykit.delay.queue.recovery;

import java.util.Optional;

/**
 * What an operator asks of a restore.
 *
 * @param expire whether overdue messages are put back too; if not they become EXPIRED
 * @param topic the only one that is restored; empty = all
 * @param dryRun whether it is only counted what would be done
 * @param resume whether it goes on where the last one on this node was stopped or failed; from the beginning if none was
 */
public record RestoreOrder(boolean expire, Optional<String> topic, boolean dryRun, boolean resume) {
    /** Everything, from the beginning. */
    public static RestoreOrder all(boolean expire) {
        return new RestoreOrder(expire, Optional.empty(), false, false);
    }

    /** Whether the other one does the same to the same rows, be it for a try or in earnest. */
    boolean isLike(RestoreOrder other) {
        return expire == other.expire && topic.equals(other.topic);
    }

    /** What it does to which rows, in the operator's words. */
    String kind() {
        return "expire=" + expire + " of " + topic.map(name -> "topic=" + name).orElse("all topics");
    }

    /** For the log. */
    @Override
    public String toString() {
        return kind() + (dryRun ? ", dry run" : "");
    }
}
