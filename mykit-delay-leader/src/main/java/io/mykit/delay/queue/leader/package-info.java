/**
 * Election of the leader. The package does not know the leader's work: it hands a {@link
 * io.mykit.delay.queue.leader.LeaderTerm} to a {@link io.mykit.delay.queue.leader.LeaderDuty} and takes it away again.
 *
 * <p>Only this package uses ZooKeeper. It uses the configuration, and it calls the leader's work through the duty. Each
 * elector takes all decisions on one thread, the thread of its {@link io.mykit.delay.queue.leader.DutyThread}. Curator's
 * threads only revoke a term and pass events on.
 */
package io.mykit.delay.queue.leader;
