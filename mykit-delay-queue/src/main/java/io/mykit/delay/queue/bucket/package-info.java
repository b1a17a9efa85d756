/**
 * The index of the near future, and the only room that knows Redis: bucketed zsets, message pools, ready lists and
 * leases. Every change is one Lua script on the keys of one bucket, so a crash leaves either all of it or nothing.
 *
 * <p>{@link io.mykit.delay.queue.bucket.BucketIndex} is what the others see.
 */
package io.mykit.delay.queue.bucket;
