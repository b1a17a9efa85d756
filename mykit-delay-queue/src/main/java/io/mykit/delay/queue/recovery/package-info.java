/**
 * Putting things back from the store into the index. Leader's loops: the {@link io.mykit.delay.queue.recovery.Loader}
 * (rows in WAIT_PUT), the {@link io.mykit.delay.queue.recovery.Auditor} (rows that the index should know and does not),
 * the {@link io.mykit.delay.queue.recovery.BucketRestore} (a bucket that Redis lost). Operators' calls, on any node: the
 * {@link io.mykit.delay.queue.recovery.Restorer} and the {@link io.mykit.delay.queue.recovery.Clearer}.
 *
 * <p>They walk over rows with {@link io.mykit.delay.queue.recovery.DueRows}, and say how far they are on the {@link
 * io.mykit.delay.queue.recovery.RecoveryBoard}.
 *
 * <p>All of them only ever schedule what the index does not know, and the dispatcher looks at the row once more before
 * it delivers: so they are safe beside pushes, cancels, dispatch and each other.
 */
package io.mykit.delay.queue.recovery;
