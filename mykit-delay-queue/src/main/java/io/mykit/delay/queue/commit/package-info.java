/**
 * Group commit: items that come while a batch is being written form the next batch. {@code intake} and {@code pull} use it.
 * Any thread may submit an item; the threads of the lanes write the batches, mostly one lane alone.
 */
package io.mykit.delay.queue.commit;
