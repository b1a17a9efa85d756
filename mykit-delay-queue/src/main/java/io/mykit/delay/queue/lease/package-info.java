/**
 * The buckets that one term's leader owns, and the leases that it has taken in them: {@link
 * io.mykit.delay.queue.lease.OwnedBuckets}. The scanners, the dispatcher and the repairing loops make all calls on their
 * buckets through this package. So one place notices the end of an ownership. After a call without an answer, the leader
 * can still tell its known leases from unknown ones.
 *
 * <p>The package depends on the index only. The threads of the scanners, the dispatcher, the outcome writers and the
 * repairing loops call it.
 */
package io.mykit.delay.queue.lease;
