/**
 * Who leads. Knows nothing of the work: it hands a {@link io.mykit.delay.queue.leader.LeaderTerm} to a
 * {@link io.mykit.delay.queue.leader.LeaderDuty} and takes it away again.
 */
package io.mykit.delay.queue.leader;
