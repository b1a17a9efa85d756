/**
 * The buckets that one term's leader owns, and what it has taken from them: {@link io.mykit.delay.queue.lease.OwnedBuckets}. The
 * scanners, the dispatcher and the loops that repair work on their buckets through it. So the end of an ownership is noticed in
 * one place, and after a call whose answer was lost the leader can tell its own leases from those that it never heard of.
 *
 * <p>Knows the index only. The threads of the scanners, the dispatcher, the writers of outcomes and the repairing loops come in.
 */
package io.mykit.delay.queue.lease;
