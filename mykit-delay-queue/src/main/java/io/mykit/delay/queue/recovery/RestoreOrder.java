package io.mykit.delay.queue.recovery;

/**
 * What an operator asks of a restore.
 *
 * @param expire whether overdue messages are put back too; if not they become EXPIRED
 * @param dryRun whether it is only counted what would be done
 * @param resume whether it goes on where the last one on this node was stopped or failed; from the beginning if none was
 */
public record RestoreOrder(boolean expire, boolean dryRun, boolean resume) {
    /** Everything, from the beginning. */
    public static RestoreOrder all(boolean expire) {
        return new RestoreOrder(expire, false, false);
    }
}
