/**
 * The leader's look at the top of each bucket: one {@link io.mykit.delay.queue.scan.BucketScanner} and one thread per
 * bucket. It sleeps until the next due time that it knows of, and is woken when an earlier one comes.
 */
package io.mykit.delay.queue.scan;
