/**
 * Who leads. Knows nothing of the work: it hands a {@link io.mykit.delay.queue.leader.LeaderTerm} to a
 * {@link io.mykit.delay.queue.leader.LeaderDuty} and takes it away again.
 *
 * <p>The only room that knows ZooKeeper. Its neighbours are the configuration and, through the duty, whoever does the
 * leader's work. All decisions fall on one thread per elector, that of the {@link
 * io.mykit.delay.queue.leader.DutyThread}; Curator's threads come in only to revoke a term and to hand over.
 */
package io.mykit.delay.queue.leader;
