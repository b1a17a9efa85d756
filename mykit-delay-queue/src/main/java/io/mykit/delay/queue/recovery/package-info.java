/**
 * Recovery of the index from the store. Loops of the leader: the {@link io.mykit.delay.queue.recovery.Loader} (rows in
 * WAIT_PUT), the {@link io.mykit.delay.queue.recovery.Auditor} (rows that should be in the index and are not), the {@link
 * io.mykit.delay.queue.recovery.BucketRestore} (buckets that Redis lost). Calls of operators, on any node: the {@link
 * io.mykit.delay.queue.recovery.Restorer}, the {@link io.mykit.delay.queue.recovery.Clearer} and the {@link
 * io.mykit.delay.queue.recovery.DeadLetters} (respawn and discard).
 *
 * <p>They read rows with {@link io.mykit.delay.queue.recovery.DueRows}, and report their progress to the {@link
 * io.mykit.delay.queue.recovery.RecoveryBoard}.
 *
 * <p>All of them only schedule messages that the index does not know, and the dispatcher checks the row once more before it
 * delivers. So they are safe at the same time as pushes, cancels, dispatch and each other.
 */
package io.mykit.delay.queue.recovery;
