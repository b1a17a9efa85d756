/**
 * The index of the near future, as the other rooms see it: where messages wait by due time, which of them are ready, and
 * which are under a lease. {@link io.mykit.delay.queue.bucket.MessageIndex} is the contract, the rest are its values and
 * exceptions. Knows no database; {@code bucket.redis} keeps the contract.
 *
 * <p>Any thread comes in.
 */
package io.mykit.delay.queue.bucket;
