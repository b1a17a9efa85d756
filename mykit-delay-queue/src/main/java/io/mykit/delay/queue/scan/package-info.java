/**
 * The loops that find due messages: one {@link io.mykit.delay.queue.scan.ScanLoop} and one thread for up to sixteen buckets of one
 * server. A loop sleeps until the next due time that it knows. The index wakes it when an earlier message comes.
 */
package io.mykit.delay.queue.scan;
