/**
 * Housekeeping removes finished, cancelled, expired and dead messages from the store, with their flow logs, when
 * their retention is over. It uses the {@code store}, and asks the {@code bucket} index whether the index has
 * forgotten a message. One thread of the leader runs it, see {@link
 * io.mykit.delay.queue.housekeeping.Housekeeping#loop}.
 */
package io.mykit.delay.queue.housekeeping;
