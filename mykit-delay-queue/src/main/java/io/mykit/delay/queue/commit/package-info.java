/**
 * Group commit: items that come while a batch is being written form the next batch. {@code intake} and {@code pull} use it.
 * Any thread may submit an item; one thread writes the batches.
 */
package io.mykit.delay.queue.commit;
