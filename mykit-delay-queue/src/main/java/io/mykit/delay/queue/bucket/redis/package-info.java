/**
 * The index on Redis: bucketed zsets, message pools, ready lists and leases. Every change is one Lua script on the keys of
 * one bucket, so a crash leaves either all of it or nothing.
 *
 * <p>{@link io.mykit.delay.queue.bucket.redis.RedisMessageIndex} is what the others open, and
 * {@code RedisOwnedBucket} what a claim returns. Below them are the operations
 * ({@code Schedules}, {@code IdScripts}, {@code BucketClaims}, {@code BucketScan}, {@code Leases}, {@code RedisReads}), which ask
 * {@code BucketCount} how many buckets there are, and below these {@code BucketCalls}, which makes their calls on
 * {@code queue.redis} and says in the index's exceptions what went wrong there.
 *
 * <p>Any thread comes in; {@code redis-subscriber} calls {@code Wakes}.
 */
package io.mykit.delay.queue.bucket.redis;
