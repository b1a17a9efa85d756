/**
 * Removing what ended: finished, cancelled, expired and dead messages go from the store, with their flow log, when they
 * have been kept long enough. Neighbours: the {@code store} that they go from, and the {@code bucket} index, which is asked
 * whether it has forgotten them. One thread of the leader's comes in, by
 * {@link io.mykit.delay.queue.housekeeping.Housekeeping#loop}.
 */
package io.mykit.delay.queue.housekeeping;
