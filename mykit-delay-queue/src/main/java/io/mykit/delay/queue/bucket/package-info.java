/**
 * The index of the near future, as the other packages see it: where messages wait by due time, which of them are ready, and
 * which are under a lease. It has two doors: {@link io.mykit.delay.queue.bucket.MessageIndex} for any node, and
 * {@link io.mykit.delay.queue.bucket.OwnedBucket} for the leader that has claimed a bucket. The rest are their values and
 * exceptions. Knows no database; {@code bucket.redis} keeps the contract.
 *
 * <p>Any thread comes in.
 */
package io.mykit.delay.queue.bucket;
