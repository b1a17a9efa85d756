/**
 * What one term's leader has taken from its buckets: {@link io.mykit.delay.queue.lease.TermLeases}. The scanners and the
 * dispatcher take and give back through it, so that after a call whose answer was lost the leader can tell its own leases from
 * those that it never heard of.
 *
 * <p>Knows the index only. The threads of the scanners, the dispatcher and the writers of outcomes come in.
 */
package io.mykit.delay.queue.lease;
