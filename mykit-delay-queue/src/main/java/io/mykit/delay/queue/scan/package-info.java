/**
 * The loops that find due messages: one {@link io.mykit.delay.queue.scan.BucketScanner} and one thread for each bucket. A
 * scanner sleeps until the next due time that it knows. The index wakes it when an earlier message comes.
 */
package io.mykit.delay.queue.scan;
