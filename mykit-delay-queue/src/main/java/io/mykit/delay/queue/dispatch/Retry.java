package io.mykit.delay.queue.dispatch;

/**
 * A message that is tried again.
 *
 * @param taken the message as it was taken
 * @param next the message as it waits for its next attempt
 * @param leaves whether it waits in the store and not in the index
 * @param attempted whether its receiver may have got it
 */
record Retry(Leased taken, Leased next, boolean leaves, boolean attempted) {}
